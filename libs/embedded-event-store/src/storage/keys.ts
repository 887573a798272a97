import { createHash } from 'node:crypto';

/**
 * The keys of the three tables (decision 0010), all big-endian, so that the order of bytes is the
 * order of numbers:
 *   events   position (6)                      -> record
 *   streams  0 + name | 1 + SHA-256 of a name  -> stream number (4)
 *   index    stream number (4), revision (6)   -> position (6)
 */
export type IndexKey = [stream: number, revision: number];

/** Longer names are stored by their hash: lmdb's keys end at 1,978 bytes. */
const LONGEST_NAME_AS_KEY = 1000;

const TWO_32 = 2 ** 32;

export const positionKeys = {
  writeKey(position: number, target: Uint8Array, at: number): number {
    writeUint48(position, target, at);
    return at + 6;
  },
  readKey(source: Uint8Array, at: number): number {
    return readUint48(source, at);
  },
};

export const indexKeys = {
  writeKey([stream, revision]: IndexKey, target: Uint8Array, at: number): number {
    writeUint32(stream, target, at);
    writeUint48(revision, target, at + 4);
    return at + 10;
  },
  readKey(source: Uint8Array, at: number): IndexKey {
    return [readUint32(source, at), readUint48(source, at + 4)];
  },
};

export function streamKey(name: string): Buffer {
  const length = Buffer.byteLength(name);
  if (length > LONGEST_NAME_AS_KEY) {
    return Buffer.concat([Buffer.from([1]), createHash('sha256').update(name).digest()]);
  }
  const key = Buffer.allocUnsafe(length + 1);
  key[0] = 0;
  key.write(name, 1, length, 'utf8');
  return key;
}

export function encodePosition(position: number): Buffer {
  const value = Buffer.allocUnsafe(6);
  writeUint48(position, value, 0);
  return value;
}

export function decodePosition(value: Buffer): number {
  return readUint48(value, 0);
}

export function encodeStreamNumber(stream: number): Buffer {
  const value = Buffer.allocUnsafe(4);
  writeUint32(stream, value, 0);
  return value;
}

export function decodeStreamNumber(value: Buffer): number {
  return readUint32(value, 0);
}

function writeUint32(value: number, target: Uint8Array, at: number): void {
  target[at] = value >>> 24;
  target[at + 1] = value >>> 16;
  target[at + 2] = value >>> 8;
  target[at + 3] = value;
}

function readUint32(source: Uint8Array, at: number): number {
  const high = ((source[at] ?? 0) << 8) | (source[at + 1] ?? 0);
  const low = ((source[at + 2] ?? 0) << 8) | (source[at + 3] ?? 0);
  return high * 0x10000 + low;
}

function writeUint48(value: number, target: Uint8Array, at: number): void {
  const high = Math.floor(value / TWO_32);
  target[at] = high >>> 8;
  target[at + 1] = high;
  writeUint32(value >>> 0, target, at + 2);
}

function readUint48(source: Uint8Array, at: number): number {
  return (((source[at] ?? 0) << 8) | (source[at + 1] ?? 0)) * TWO_32 + readUint32(source, at + 2);
}
