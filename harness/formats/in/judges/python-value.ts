/** A name that stands for something that the file does not spell out, such as `LLMTestCaseParams.INPUT`. */
export class PythonName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Something that only running Python would tell. */
export class PythonComputed {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A call as it is written; nothing is ever called. */
export class PythonCall {
  readonly name: string;
  readonly positional: readonly PythonValue[];
  readonly named: Readonly<Record<string, PythonValue>>;
  readonly offset: number;
  /** Where each argument's value stands, by name. */
  readonly offsets: Readonly<Record<string, number>>;

  constructor({ name, positional, named, offset, offsets }: PythonCall) {
    this.name = name;
    this.positional = positional;
    this.named = named;
    this.offset = offset;
    this.offsets = offsets;
  }
}

export type PythonValue =
  | string
  | number
  | boolean
  | null
  | PythonName
  | PythonComputed
  | PythonCall
  | PythonValue[]
  | { [key: string]: PythonValue };
