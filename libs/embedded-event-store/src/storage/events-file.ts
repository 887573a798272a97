import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/**
 * lmdb maps its file and trusts it: a file that is cut off or not its own ends the process with a
 * signal instead of an error. So its two root pages are looked at before it is opened. Each has, at
 * these offsets (lmdb 0.9.90, data version 2), little-endian:
 */
const MAGIC_OFFSET = 24;
const PAGE_SIZE_OFFSET = 48;
const LAST_PAGE_OFFSET = 144;
const TRANSACTION_OFFSET = 152;
const ROOT_BYTES = 160;

const MAGIC = 0xbeefc0de;
const LARGEST_PAGE = 65_536;

/** True if there is nothing in the file, or no file. */
export function isAbsent(file: string): boolean {
  return !existsSync(file) || statSync(file).size === 0;
}

/** The problem of an existing file, if its roots and its length show one. */
export function findFileProblem(file: string): string | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const first = readRoot(descriptor, 0);
    const second = first && readRoot(descriptor, first.pageSize);
    if (!first || !second) return 'its file of events is not one';
    const newest = second.transaction > first.transaction ? second : first;
    const needed = (newest.lastPage + 1n) * BigInt(newest.pageSize);
    if (BigInt(size) >= needed) return undefined;
    return `its file of events has ${size} bytes and should have ${needed}`;
  } finally {
    closeSync(descriptor);
  }
}

interface Root {
  readonly pageSize: number;
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

function readRoot(descriptor: number, at: number): Root | undefined {
  const bytes = Buffer.alloc(ROOT_BYTES);
  if (readSync(descriptor, bytes, 0, ROOT_BYTES, at) < ROOT_BYTES) return undefined;
  if (bytes.readUInt32LE(MAGIC_OFFSET) !== MAGIC) return undefined;
  const pageSize = bytes.readUInt32LE(PAGE_SIZE_OFFSET);
  if (pageSize === 0 || pageSize > LARGEST_PAGE) return undefined;
  return {
    pageSize,
    lastPage: bytes.readBigUInt64LE(LAST_PAGE_OFFSET),
    transaction: bytes.readBigUInt64LE(TRANSACTION_OFFSET),
  };
}
