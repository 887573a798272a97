import { InvalidArgument } from './failures.js';

const HEX_DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

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

/** The usual lower-case spelling of the UUID at `offset`. */
export function uuidToText(bytes: Buffer, offset = 0): string {
  let text = '';
  for (let index = 0; index < 16; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    text += HEX_DIGITS[bytes[offset + index] ?? 0] ?? '';
  }
  return text;
}
