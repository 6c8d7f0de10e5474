import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { SimulatedAnswer } from './call.ts';

/** What goes wrong with one call. */
export type Fault =
  | {
      kind: 'status';
      status: number;
      type?: string;
      code?: string;
      message?: string;
      headers?: Record<string, string>;
    }
  /** A reply of its own making: HTML, nothing, another shape. */
  | { kind: 'body'; body: string; status?: number; contentType?: string; headers?: Record<string, string> }
  /** The connection dies before anything is said. */
  | { kind: 'reset' }
  /** The connection dies in the middle of the body. */
  | { kind: 'cut' }
  /** Headers, then silence. */
  | { kind: 'stall' }
  /** One byte at a time, for ever. */
  | { kind: 'drip'; everyMs: number }
  /** The whole reply, late. */
  | { kind: 'late'; ms: number }
  | { kind: 'redirect'; to: string; status?: number }
  /** The model itself answers otherwise. */
  | { kind: 'answer'; text?: string; finish?: SimulatedAnswer['finish']; usage?: unknown }
  | { kind: 'served'; model: string }
  | { kind: 'fingerprint'; fingerprint: string };

/** Had the provider done the work (and would it have billed it) when this fault struck? */
export function isBilled(fault: Fault | null): boolean {
  return fault === null || !['status', 'redirect'].includes(fault.kind);
}

/** Plays the faults of the wire. @returns whether the response was dealt with. */
export async function playFault(
  fault: Fault,
  response: ServerResponse,
  body: string,
  signal: AbortSignal,
): Promise<boolean> {
  switch (fault.kind) {
    case 'body':
      response.writeHead(fault.status ?? 200, {
        'content-type': fault.contentType ?? 'application/json',
        ...fault.headers,
      });
      response.end(fault.body);
      return true;
    case 'redirect':
      response.writeHead(fault.status ?? 307, { location: fault.to }).end();
      return true;
    case 'reset':
      response.destroy();
      return true;
    case 'cut':
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.write(body.slice(0, body.length / 2), () => response.destroy());
      return true;
    case 'stall':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      return true;
    case 'drip':
      response.writeHead(200, { 'content-type': 'application/json' });
      for (const byte of body) {
        if (response.destroyed || signal.aborted) break;
        response.write(byte);
        await wait(fault.everyMs);
      }
      return true;
    case 'late':
      await wait(fault.ms);
      return false;
    default:
      return false;
  }
}
