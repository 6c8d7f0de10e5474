import { z } from 'zod';
import { contentHash } from '../../core/hash.ts';
import { JsonObject } from '../../core/json.ts';
import type { ApprovalRule } from '../../core/task.ts';
import { matches } from './grade/conditions.ts';

export const REQUEST_APPROVAL = 'request_approval';

/** Arguments of the sandbox's own tool: which call the agent wants to make, and why. */
export const ApprovalRequest = z.strictObject({
  tool: z.string(),
  arguments: JsonObject,
  reason: z.string().min(1),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

/** Events that every sandbox emits, beside those of its tools module. */
export const APPROVAL_EVENTS: Record<string, z.ZodObject> = {
  'approval.granted': z.strictObject({
    tool: z.string(),
    arguments: JsonObject,
    decision: z.enum(['approved', 'changed']),
  }),
  'approval.denied': z.strictObject({ tool: z.string(), arguments: JsonObject, reason: z.string() }),
  'call.unapproved': z.strictObject({ tool: z.string(), arguments: JsonObject, why: z.string() }),
};

/** Permission for one call of a tool with exactly these arguments. */
export interface Grant {
  id: string;
  tool: string;
  call: string;
  lastStep: number;
  spentAt: number | null;
}

export type Decision =
  | { decision: 'approved' | 'changed'; grant: Grant; arguments: JsonObject; reason: string }
  | { decision: 'denied'; reason: string };

/** The sandbox's approver: the only source of grants, and the judge of whether a call has one. */
export class Approvals {
  #rules: readonly ApprovalRule[];
  #lifetime: number;
  #token: string;
  #grants: Grant[] = [];
  #denied = new Map<string, number>();

  /** @param lifetime tool calls for which a grant lasts; @param token makes grant ids this trial's own. */
  constructor(rules: readonly ApprovalRule[], lifetime: number, token: string) {
    this.#rules = rules;
    this.#lifetime = lifetime;
    this.#token = token;
  }

  /** Answers a request at a step. @param readArguments checks changed arguments against the tool's input. */
  decide(request: ApprovalRequest, step: number, readArguments: (args: JsonObject) => JsonObject): Decision {
    const rule = this.#rules.find(
      (one) => one.tool === request.tool && matches(one.where, request.arguments),
    );
    const reason = rule?.reason ?? '';
    if (rule?.decision === 'deny') {
      this.#denied.set(callHash(request.tool, request.arguments), step);
      return { decision: 'denied', reason };
    }
    if (rule?.decision === 'change') {
      const changed = readArguments({ ...request.arguments, ...rule.arguments });
      return {
        decision: 'changed',
        grant: this.#grant(request.tool, changed, step),
        arguments: changed,
        reason,
      };
    }
    const grant = this.#grant(request.tool, request.arguments, step);
    return { decision: 'approved', grant, arguments: request.arguments, reason };
  }

  /** The unspent grant that covers a call at a step, or why there is none. */
  cover(tool: string, args: JsonObject, step: number): { grant: Grant } | { why: string } {
    const call = callHash(tool, args);
    const exact = this.#grants.filter((grant) => grant.call === call);
    const open = exact.find((grant) => grant.spentAt === null && grant.lastStep >= step);
    return open === undefined ? { why: this.#whyNot(tool, call, exact) } : { grant: open };
  }

  /** A grant covers one call: this one. */
  spend(grant: Grant, step: number): void {
    grant.spentAt = step;
  }

  #grant(tool: string, args: JsonObject, step: number): Grant {
    const grant: Grant = {
      id: `${this.#token}-${this.#grants.length + 1}`,
      tool,
      call: callHash(tool, args),
      lastStep: step + this.#lifetime,
      spentAt: null,
    };
    this.#grants.push(grant);
    return grant;
  }

  #whyNot(tool: string, call: string, exact: readonly Grant[]): string {
    const last = exact.at(-1);
    if (last !== undefined) {
      return last.spentAt === null
        ? `its approval expired after call ${last.lastStep}`
        : `its approval was used up by call ${last.spentAt}`;
    }
    if (this.#denied.has(call)) return `the approver denied it at call ${this.#denied.get(call)}`;
    const other = this.#grants.some((grant) => grant.tool === tool);
    return other ? 'the approval was for other arguments' : 'no approval was asked for';
  }
}

function callHash(tool: string, args: JsonObject): string {
  return contentHash({ tool, arguments: args });
}
