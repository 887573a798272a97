import { MAX_RECEIVE_BYTES } from '../limits.js';
import { GrpcCode } from './status.js';
import type { CallStatus } from '../failures.js';

/** Before each message of a call: whether it is compressed (1), and its length (4). */
export const MESSAGE_HEAD_BYTES = 5;

const TOO_LONG: CallStatus = {
  code: GrpcCode.RESOURCE_EXHAUSTED,
  details: `A message has at most ${MAX_RECEIVE_BYTES} bytes.`,
};

const COMPRESSED: CallStatus = {
  code: GrpcCode.UNIMPLEMENTED,
  details: 'Compressed messages are not read: send them as they are.',
};

/** Finds the messages of a call in its pieces. */
export class MessageReader {
  /** The begun message: a copy, since it may come in a million pieces, each of which would cost a hundred bytes. */
  #begun = Buffer.alloc(0);
  #begunBytes = 0;
  #neededBytes = MESSAGE_HEAD_BYTES;

  constructor(private readonly take: (message: Buffer) => void) {}

  /** True while a message has begun and is not whole. */
  get isWithinMessage(): boolean {
    return this.#begunBytes > 0;
  }

  /** @returns why nothing more can be read of this call; the length of a message counts before it is there. */
  push(chunk: Buffer): CallStatus | undefined {
    if (this.#begunBytes === 0) return this.#read(chunk);
    this.#hold(chunk);
    if (this.#begunBytes < this.#neededBytes) return undefined;
    const bytes = this.#begun.subarray(0, this.#begunBytes);
    this.#begun = Buffer.alloc(0);
    this.#begunBytes = 0;
    return this.#read(bytes);
  }

  #read(bytes: Buffer): CallStatus | undefined {
    let at = 0;
    this.#neededBytes = MESSAGE_HEAD_BYTES;
    while (bytes.length - at >= MESSAGE_HEAD_BYTES) {
      if (bytes[at] !== 0) return COMPRESSED;
      const length = bytes.readUInt32BE(at + 1);
      if (length > MAX_RECEIVE_BYTES) return TOO_LONG;
      this.#neededBytes = MESSAGE_HEAD_BYTES + length;
      if (bytes.length - at < this.#neededBytes) break;
      at += this.#neededBytes;
      // A copy: a kept part of a message would else keep all bytes that arrived with it.
      this.take(Buffer.from(bytes.subarray(at - length, at)));
      this.#neededBytes = MESSAGE_HEAD_BYTES;
    }
    if (at < bytes.length) this.#hold(bytes.subarray(at));
    return undefined;
  }

  #hold(bytes: Buffer): void {
    const wanted = this.#begunBytes + bytes.length;
    if (wanted > this.#begun.length) {
      const larger = Buffer.allocUnsafe(Math.max(wanted, 2 * this.#begun.length));
      larger.set(this.#begun.subarray(0, this.#begunBytes));
      this.#begun = larger;
    }
    this.#begun.set(bytes, this.#begunBytes);
    this.#begunBytes = wanted;
  }
}
