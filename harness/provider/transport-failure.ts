/** Why no whole reply came over the wire. */
export type TransportFault = 'network' | 'timeout' | 'aborted' | 'redirected' | 'bad_shape';

/** A call that ended without a whole reply. Its message never reads like the SDKs' own timeouts, which they rename. */
export class TransportFailure extends Error {
  readonly fault: TransportFault;
  /** The request had left for the server. */
  readonly sent: boolean;
  readonly detail: string;

  constructor(fault: TransportFault, sent: boolean, detail: string) {
    super(`transport: ${fault === 'timeout' ? 'deadline' : fault}`);
    this.name = 'TransportFailure';
    this.fault = fault;
    this.sent = sent;
    this.detail = detail;
  }
}

/** What an error of the network says, its code included. */
export function networkText(error: Error): string {
  return 'code' in error && typeof error.code === 'string'
    ? `${error.message} (${error.code})`
    : error.message;
}

/** A response whose text is here already: the SDKs get what they ask for without a stream in between. */
export class WholeResponse extends Response {
  readonly #text: string;

  constructor(text: string, init: ResponseInit) {
    super(null, init);
    this.#text = text;
  }

  override async text(): Promise<string> {
    return this.#text;
  }
}

/** The largest reply that is read whole, bytes. */
export const LARGEST = 8 * 1024 * 1024;
