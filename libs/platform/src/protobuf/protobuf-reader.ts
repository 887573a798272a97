/**
 * The reading half of protobuf's wire format, for messages that each append and each event pays for (decision 0005).
 * The generated decoders copy each field into an array of fields first; this one hands out views.
 */
export class ProtobufReader {
  #position: number;
  readonly #end: number;

  constructor(
    private readonly bytes: Buffer,
    start = 0,
    end = bytes.length,
  ) {
    this.#position = start;
    this.#end = end;
  }

  /** The next field's tag (`number << 3 | wire type`), or 0 at the end of the message. */
  nextTag(): number {
    return this.#position >= this.#end ? 0 : this.varint();
  }

  /** A varint as a number; beyond 2^53 it is not exact, which only sentinels reach. */
  varint(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count += 1) {
      if (this.#position >= this.#end) throw malformed('a number is cut off');
      const byte = this.bytes.readUInt8(this.#position);
      this.#position += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw malformed('a number is too long');
  }

  /** A varint as an exact unsigned 64-bit value. */
  varint64(): bigint {
    const start = this.#position;
    const rounded = this.varint();
    // Arithmetic with bigints is slow, and few numbers need it.
    if (Number.isSafeInteger(rounded)) return BigInt(rounded);
    let value = 0n;
    for (let at = this.#position - 1; at >= start; at -= 1) {
      value = (value << 7n) | BigInt(this.bytes.readUInt8(at) & 0x7f);
    }
    return BigInt.asUintN(64, value);
  }

  /** A length-delimited field as a view of the message's bytes. */
  view(): Buffer {
    const start = this.#lengthDelimited();
    return this.bytes.subarray(start, this.#position);
  }

  /** A length-delimited field as text. */
  text(): string {
    const start = this.#lengthDelimited();
    return this.bytes.toString('utf8', start, this.#position);
  }

  /** A reader for a message inside this one. */
  message(): ProtobufReader {
    const start = this.#lengthDelimited();
    return new ProtobufReader(this.bytes, start, this.#position);
  }

  /** Steps over a field that this version does not know. */
  skip(tag: number): void {
    switch (tag & 7) {
      case 0:
        this.varint();
        return;
      case 1:
        this.#advance(8);
        return;
      case 2:
        this.#lengthDelimited();
        return;
      case 5:
        this.#advance(4);
        return;
      default:
        throw malformed(`wire type ${tag & 7} is not known`);
    }
  }

  #lengthDelimited(): number {
    const length = this.varint();
    const start = this.#position;
    this.#advance(length);
    return start;
  }

  #advance(length: number): void {
    if (length > this.#end - this.#position) throw malformed('a field is cut off');
    this.#position += length;
  }
}

function malformed(what: string): Error {
  return new Error(`The message is not valid protobuf: ${what}.`);
}
