/** The smallest rubric and judge that are in order. */
export const TONE_RUBRIC = `rubric: tone
version: 1
title: Tone
task: Answer the customer.
criteria:
  - id: polite
    question: Is the reply polite?
    scale: binary
    levels:
      - {value: 'no', anchor: It insults the customer.}
      - {value: 'yes', anchor: It greets the customer and insults nobody.}
    pass: {equals: 'yes'}
`;

export const TONE_JUDGE = `judge: polite
version: 1
rubric: tone@1
criteria: [polite]
provider: anthropic
model: claude-sonnet-4-5-20250929
`;
