import type { Dispatcher } from 'undici';
import type { Connection } from './connections.js';

/** An answer, as far as it came or was read. */
export interface EgressAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Up to the limit. */
  readonly body: Buffer;
  readonly remoteAddress: string;
}

/** Reads one answer up to a limit, and keeps the part that has come where that fails. */
export class Receipt {
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #head: Dispatcher.ResponseData | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly limitBytes: number,
  ) {}

  /** Whether no more than the limit has come: else the rest is not read, and the connection is of no more use. */
  get isWhole(): boolean {
    return this.#length <= this.limitBytes;
  }

  /** Undefined before the head has come. */
  get soFar(): EgressAnswer | undefined {
    return this.#head && this.#describe(this.#head);
  }

  /** @throws the error with which undici ends a request. */
  async read(response: Dispatcher.ResponseData): Promise<EgressAnswer> {
    this.#head = response;
    // Without an encoding, a body is read in buffers.
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      if (!this.isWhole) break;
    }
    return this.#describe(response);
  }

  #describe({ statusCode: status, headers }: Dispatcher.ResponseData): EgressAnswer {
    const body = Buffer.concat(this.#chunks).subarray(0, this.limitBytes);
    return { status, headers, body, remoteAddress: this.connection.remoteAddress };
  }
}
