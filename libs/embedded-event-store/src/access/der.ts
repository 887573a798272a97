/** A value in DER (X.690), the form of what a certificate holds: a tag, a length and the content. */
export type Der = Buffer;

const LONG_FORM = 0x80;

/** A value of a tag and its content, which may be made of several. */
export function der(tag: number, ...content: readonly Uint8Array[]): Der {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag, ...lengthBytes(bytes.length)), bytes]);
}

/** Up to 127 in one byte; from there on behind a byte that tells how many bytes follow. */
function lengthBytes(length: number): readonly number[] {
  if (length < LONG_FORM) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [LONG_FORM | bytes.length, ...bytes];
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BOOLEAN = 0x01;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
/** The first year that two digits do not tell (RFC 5280, 4.1.2.5). */
const FOUR_DIGIT_YEARS = 2050;

export const sequence = (...parts: readonly Uint8Array[]): Der => der(SEQUENCE, ...parts);
export const octets = (content: Uint8Array): Der => der(OCTET_STRING, content);
export const isTrue = (): Der => der(BOOLEAN, Buffer.of(0xff));
/** A number that is given as its bytes, the first of which is below 128 and not 0. */
export const integer = (bytes: Uint8Array): Der => der(INTEGER, bytes);
/** @param unused how many bits of the last byte do not count. */
export const bits = (content: Uint8Array, unused = 0): Der =>
  der(BIT_STRING, Buffer.of(unused), content);
/** @param content its bytes, in hexadecimal digits. */
export const identifier = (content: string): Der =>
  der(OBJECT_IDENTIFIER, Buffer.from(content, 'hex'));

/** A name that consists of a common name (CN) alone. */
export function commonName(name: string): Der {
  const attribute = sequence(identifier('550403'), der(UTF8_STRING, Buffer.from(name)));
  return sequence(der(SET, attribute));
}

/** A moment, to the second, in the form that certificates ask for. */
export function time(date: Date): Der {
  const digits = `${date.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`;
  const isLong = date.getUTCFullYear() >= FOUR_DIGIT_YEARS;
  return isLong
    ? der(GENERALIZED_TIME, Buffer.from(digits))
    : der(UTC_TIME, Buffer.from(digits.slice(2)));
}

/** The content of a value, without its tag and length. */
export function readContent(value: Der): Buffer {
  return value.subarray(headerLength(value), valueLength(value));
}

/** The values that a value consists of, each with its tag and length. */
export function readParts(value: Der): readonly Der[] {
  const parts: Der[] = [];
  for (let rest = readContent(value); rest.length > 0;) {
    parts.push(rest.subarray(0, valueLength(rest)));
    rest = rest.subarray(valueLength(rest));
  }
  return parts;
}

function headerLength(value: Buffer): number {
  const first = value[1] ?? 0;
  return first < LONG_FORM ? 2 : 2 + (first & ~LONG_FORM);
}

function valueLength(value: Buffer): number {
  const header = headerLength(value);
  const length = header === 2 ? (value[1] ?? 0) : value.readUIntBE(2, header - 2);
  return header + length;
}
