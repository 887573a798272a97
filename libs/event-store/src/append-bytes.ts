import type { ExpectedRevision } from './event-store.js';
import type { StoredForm } from './stored-form.js';
import type { VerbatimForm } from './verbatim/verbatim-event.js';

/**
 * One append as the bytes of a `BatchAppendReq` (event_store.client.streams, shared; decision
 * 0005). The generated classes build some twenty objects for it, and take twice the time of all
 * else that an append costs; here it is written once, front to back. A spec reads it back with
 * those classes.
 */
const VARINT = 0;
const LENGTH_DELIMITED = 2;
/**
 * Lengths of nested messages are known only afterwards: each gets this many bytes, filled in later.
 */
const LENGTH_BYTES = 4;
/**
 * What a command of one event takes, twice over; small enough to come out of Node's buffer pool.
 */
const FIRST_BYTES = 2000;

/** Writes protobuf fields into one growing buffer. */
class FieldWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** An unsigned integer or a boolean. */
  integer(field: number, value: number): void {
    this.#reserve(16);
    this.#varint((field << 3) | VARINT);
    this.#varint(value);
  }

  text(field: number, value: string): void {
    this.message(field, () => {
      // A UTF-16 unit takes three bytes of UTF-8 at the most.
      this.#reserve(value.length * 3);
      this.#length += this.#bytes.write(value, this.#length);
    });
  }

  raw(field: number, bytes: Uint8Array): void {
    this.message(field, () => {
      this.#reserve(bytes.length);
      this.#bytes.set(bytes, this.#length);
      this.#length += bytes.length;
    });
  }

  message(field: number, write: () => void): void {
    this.#reserve(16);
    this.#varint((field << 3) | LENGTH_DELIMITED);
    const lengthAt = this.#length;
    this.#length += LENGTH_BYTES;
    write();
    let left = this.#length - lengthAt - LENGTH_BYTES;
    for (let index = 0; index < LENGTH_BYTES; index += 1) {
      const isLast = index === LENGTH_BYTES - 1;
      this.#bytes[lengthAt + index] = (left & 0x7f) | (isLast ? 0 : 0x80);
      left >>>= 7;
    }
  }

  #varint(value: number): void {
    let left = value;
    while (left > 0x7f) {
      this.#bytes[this.#length++] = (left % 0x80) | 0x80;
      left = Math.floor(left / 0x80);
    }
    this.#bytes[this.#length++] = left;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/**
 * All events of one append in one message, final. The store refuses appends of over 1 MiB, so there
 * is nothing to split.
 *
 * @param deadlineMs from now, after which the store is to give up by itself.
 */
export function appendBytes(
  correlationId: string,
  streamName: string,
  expected: ExpectedRevision,
  events: readonly (StoredForm | VerbatimForm)[],
  deadlineMs: number,
): Buffer {
  const writer = new FieldWriter();
  writer.message(1, () => writer.text(2, correlationId));
  writer.message(2, () => writeOptions(writer, streamName, expected, Date.now() + deadlineMs));
  for (const event of events) writer.message(3, () => writeEvent(writer, event));
  writer.integer(4, 1);
  return writer.bytes;
}

function writeOptions(
  writer: FieldWriter,
  streamName: string,
  expected: ExpectedRevision,
  deadlineAtMs: number,
): void {
  writer.message(1, () => writer.text(3, streamName));
  if (expected === 'any') writer.message(4, nothing);
  else if (expected === 'no_stream') writer.message(3, nothing);
  else writer.integer(2, expected);
  writer.message(6, () => {
    writer.integer(1, Math.floor(deadlineAtMs / 1000));
    writer.integer(2, (deadlineAtMs % 1000) * 1_000_000);
  });
}

function writeEvent(writer: FieldWriter, event: StoredForm | VerbatimForm): void {
  writer.message(1, () => writer.text(2, event.id));
  writeEntry(writer, 'type', event.type);
  if ('contentType' in event) {
    writeEntry(writer, 'content-type', event.contentType);
    writer.raw(3, event.metadata);
    writer.raw(4, event.data);
    return;
  }
  writeEntry(writer, 'content-type', 'application/json');
  writer.text(3, JSON.stringify(event.metadata));
  writer.text(4, JSON.stringify(event.data));
}

/** An entry of the map `metadata`. */
function writeEntry(writer: FieldWriter, key: string, value: string): void {
  writer.message(2, () => {
    writer.text(1, key);
    writer.text(2, value);
  });
}

function nothing(): void {
  // An empty message: its presence is the value.
}
