import { z } from 'zod';
import { JsonObject } from '../../core/json.ts';
import type { ToolDescription } from './agent.ts';
import { ApprovalRequest, REQUEST_APPROVAL } from './approvals.ts';
import type { Tools } from './define-tools.ts';

/** Every tool with the JSON Schema of its arguments, the sandbox's own `request_approval` last. */
export function describeTools(tools: Tools, highRisk: readonly string[]): ToolDescription[] {
  const schema = (input: z.ZodType) => JsonObject.parse(z.toJSONSchema(input, { io: 'input' }));
  const own = Object.entries(tools.tools).map(([name, tool]) => ({
    name,
    description: tool.description,
    input_schema: schema(tool.input),
    needs_approval: highRisk.includes(name),
  }));
  const approval: ToolDescription = {
    name: REQUEST_APPROVAL,
    description:
      'Asks for permission to call a tool with exactly these arguments. The answer is approved, denied, or changed: permission for the arguments that the answer names. A permission covers one call and lasts for a limited number of calls.',
    input_schema: schema(ApprovalRequest),
    needs_approval: false,
  };
  return [...own, approval];
}
