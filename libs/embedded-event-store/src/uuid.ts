import { InvalidArgument } from './failures.js';

/** The 16 bytes of a UUID in any of its usual spellings (dashes, braces, upper case). */
export function uuidFromText(text: string): Buffer {
  const digits = text.replace(/[-{}()]/g, '');
  if (!/^[0-9a-fA-F]{32}$/.test(digits)) {
    throw new InvalidArgument(`"${text.slice(0, 60)}" is not a UUID.`);
  }
  return Buffer.from(digits, 'hex');
}

/** The 16 bytes of a UUID that was sent as two signed 64-bit halves. */
export function uuidFromHalves(mostSignificant: bigint, leastSignificant: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, mostSignificant), 0);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, leastSignificant), 8);
  return bytes;
}

/** The usual lower-case spelling of a UUID. */
export function uuidToText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
