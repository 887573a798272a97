import { sha256Digits } from './hash.js';
import { assertValid, InvalidSeal } from './invalid.js';

/** An event as it is stored. */
export interface LeafEvent {
  /** Without the namespace of the ledger, which a copy changes. */
  readonly streamName: string;
  readonly eventId: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** An event as its leaf shows it: hashes in hexadecimal digits stand for its bytes. */
export interface LeafLine extends Omit<LeafEvent, 'data' | 'metadata'> {
  readonly dataHash: string;
  readonly metadataHash: string;
}

/** Only a stream's name may have spaces: read from its end, a line has one meaning. */
const LINE = /^([^\n]+) ([^ \n]+) ([^ \n]+) ([0-9a-f]{64}) ([0-9a-f]{64})\n$/;
const STREAM_NAME = /^[^\n]+$/;
const WORD = /^[^ \n]+$/;
/** An entry's length is written with 16 bits. */
const MAX_ENTRY_BYTES = 0xffff;

/** The entry of an event: names and hashes, with neither position nor time, which a copy of the ledger changes. */
export function leafText({ streamName, eventId, type, data, metadata }: LeafEvent): string {
  const isRight = STREAM_NAME.test(streamName) && WORD.test(eventId) && WORD.test(type);
  if (!isRight) throw new InvalidSeal(`No line can hold the names of ${streamName}, ${eventId}.`);
  const hashes = `${sha256Digits(data)} ${sha256Digits(metadata)}`;
  const line = `${streamName} ${eventId} ${type} ${hashes}\n`;
  if (Buffer.byteLength(line) > MAX_ENTRY_BYTES)
    throw new InvalidSeal(`The name of ${eventId} is too long.`);
  return line;
}

/** Such an entry as bytes. */
export function leafLine(event: LeafEvent): Buffer {
  return Buffer.from(leafText(event));
}

/** Reads an entry; undefined where bytes are none. */
export function parseLeafLine(line: Buffer): LeafLine | undefined {
  const text = line.toString();
  const fields = LINE.exec(text);
  if (fields === null || line.length > MAX_ENTRY_BYTES || !line.equals(Buffer.from(text))) {
    return undefined;
  }
  const [, streamName = '', eventId = '', type = '', dataHash = '', metadataHash = ''] = fields;
  return { streamName, eventId, type, dataHash, metadataHash };
}

/** The entries of a tile of level 0 in a file: each behind its length (C2SP tlog-tiles). */
export function formatEntries(entries: readonly Buffer[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );
}

/** Reads the entries of a tile. @throws InvalidSeal where the bytes end within one. */
export function parseEntries(bytes: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + 2;
    const end = start <= bytes.length ? start + bytes.readUInt16BE(at) : Infinity;
    assertValid(end <= bytes.length, `A file of entries is cut off at byte ${at}.`);
    entries.push(bytes.subarray(start, end));
    at = end;
  }
  return entries;
}
