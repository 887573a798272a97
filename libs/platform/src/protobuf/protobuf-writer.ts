const INITIAL_BYTES = 64 * 1024;

/** long.MaxValue, EventStoreDB's revision of a tombstone, as a varint. */
const LONG_MAX_VARINT = Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);

/**
 * The writing half of protobuf's wire format. It writes from the last byte to the first: the length
 * of a nested message is then known when it has to be written, and nothing is measured beforehand.
 * Callers therefore write fields in descending order.
 */
export class ProtobufWriter {
  #scratch = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #position = INITIAL_BYTES;

  /** Drops a message that was begun and not finished, as after an error. */
  reset(): void {
    this.#position = this.#scratch.length;
  }

  /** The finished message as bytes of its own; the writer is empty afterwards. */
  finish(): Buffer {
    const message = Buffer.from(this.#scratch.subarray(this.#position));
    this.reset();
    return message;
  }

  /** The current mark; give it to `closeMessage` when the nested message's fields are written. */
  openMessage(): number {
    return this.#scratch.length - this.#position;
  }

  closeMessage(field: number, mark: number): void {
    this.#prefix(this.#scratch.length - this.#position - mark);
    this.#prefix((field << 3) | 2);
  }

  /** A nested message whose fields `write` gives. */
  message(field: number, write: () => void): void {
    const mark = this.openMessage();
    write();
    this.closeMessage(field, mark);
  }

  bytes(field: number, value: Uint8Array): void {
    this.#reserve(value.length);
    this.#position -= value.length;
    this.#scratch.set(value, this.#position);
    this.#prefix(value.length);
    this.#prefix((field << 3) | 2);
  }

  /** Bytes `start` to `end` of a buffer, without making a view of them. */
  slice(field: number, source: Buffer, start: number, end: number): void {
    const length = end - start;
    this.#reserve(length);
    this.#position -= length;
    source.copy(this.#scratch, this.#position, start, end);
    this.#prefix(length);
    this.#prefix((field << 3) | 2);
  }

  text(field: number, value: string): void {
    const length = Buffer.byteLength(value);
    this.#reserve(length);
    this.#position -= length;
    this.#scratch.write(value, this.#position, length, 'utf8');
    this.#prefix(length);
    this.#prefix((field << 3) | 2);
  }

  /** Short text that is known to be ASCII: a call out of JavaScript would cost more than its letters. */
  ascii(field: number, value: string): void {
    this.#reserve(value.length);
    this.#position -= value.length;
    for (let index = 0; index < value.length; index += 1) {
      this.#scratch[this.#position + index] = value.charCodeAt(index);
    }
    this.#prefix(value.length);
    this.#prefix((field << 3) | 2);
  }

  varint(field: number, value: number): void {
    this.#prefix(value);
    this.#prefix(field << 3);
  }

  varint64(field: number, value: bigint): void {
    this.#reserve(20);
    const encoded: number[] = [];
    let rest = BigInt.asUintN(64, value);
    do {
      const byte = Number(rest & 0x7fn);
      rest >>= 7n;
      encoded.push(rest > 0n ? byte | 0x80 : byte);
    } while (rest > 0n);
    this.#position -= encoded.length;
    this.#scratch.set(encoded, this.#position);
    this.#prefix(field << 3);
  }

  longMax(field: number): void {
    this.#reserve(LONG_MAX_VARINT.length);
    this.#position -= LONG_MAX_VARINT.length;
    this.#scratch.set(LONG_MAX_VARINT, this.#position);
    this.#prefix(field << 3);
  }

  /** A message without fields (`Empty`). */
  empty(field: number): void {
    this.#prefix(0);
    this.#prefix((field << 3) | 2);
  }

  #prefix(value: number): void {
    let size = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
    this.#reserve(size);
    this.#position -= size;
    let at = this.#position;
    let rest = value;
    while (rest >= 128) {
      this.#scratch[at] = (rest % 128) | 0x80;
      at += 1;
      rest = Math.floor(rest / 128);
    }
    this.#scratch[at] = rest;
  }

  #reserve(length: number): void {
    if (this.#position >= length + 20) return;
    const used = this.#scratch.length - this.#position;
    const larger = Buffer.allocUnsafeSlow((this.#scratch.length + length) * 2);
    this.#scratch.copy(larger, larger.length - used, this.#position);
    this.#scratch = larger;
    this.#position = larger.length - used;
  }
}
