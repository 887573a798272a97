import { createHmac, timingSafeEqual } from 'node:crypto';

/** rules/api 11: the timestamp must be this close to the service's time, in either direction. */
export const SIGNATURE_TOLERANCE_MS = 5 * 60_000;

const VERSION = 'v1';
const MILLIS = /^\d{1,15}$/;
/** 32 bytes in base64. */
const MAC = /^[A-Za-z0-9+/]{43}=$/;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The parts of `x-service-hmac-signature: v1;{appId};{unixMillis};{base64}` (rules/api 11). */
export interface Signature {
  readonly appId: string;
  readonly timestamp: string;
  readonly mac: Buffer;
}

/** The parts of the header's value, or undefined when it is not of that form. */
export function parseSignature(value: string): Signature | undefined {
  const [version, appId = '', timestamp = '', mac = '', rest] = value.split(';');
  if (version !== VERSION || appId === '' || rest !== undefined) return undefined;
  if (!MILLIS.test(timestamp) || !MAC.test(mac)) return undefined;
  return { appId, timestamp, mac: Buffer.from(mac, 'base64') };
}

/** Whether the timestamp lies within the tolerance. */
export function isTimely(signature: Signature, nowMs: number): boolean {
  return Math.abs(nowMs - Number(signature.timestamp)) <= SIGNATURE_TOLERANCE_MS;
}

/**
 * Whether one of the keys made this signature over `{timestamp}.{body}`: over the bytes as received
 * or, failing that, over the same bytes without the white space outside of strings, since the
 * interface speaks of compact JSON and some clients re-indent (rules/api 11). Constant-time.
 */
export function isSignedBy(
  keys: readonly Buffer[],
  signature: Signature,
  body: Buffer | undefined,
): boolean {
  if (body === undefined) return matches(keys, signature, EMPTY);
  if (matches(keys, signature, body)) return true;
  const compact = withoutWhiteSpace(body);
  return compact.length < body.length && matches(keys, signature, compact);
}

const EMPTY = Buffer.alloc(0);

function matches(keys: readonly Buffer[], signature: Signature, body: Buffer): boolean {
  let isMatch = false;
  for (const key of keys) {
    const mac = createHmac('sha256', key).update(`${signature.timestamp}.`).update(body).digest();
    const isEqual = mac.length === signature.mac.length && timingSafeEqual(mac, signature.mac);
    isMatch = isEqual || isMatch;
  }
  return isMatch;
}

/** JSON's own white space, outside of strings; everything else byte for byte. */
function withoutWhiteSpace(json: Buffer): Buffer {
  const compact = Buffer.alloc(json.length);
  let length = 0;
  let isInString = false;
  let isEscaped = false;
  for (const byte of json) {
    if (!isInString && WHITE_SPACE.has(byte)) continue;
    if (isEscaped) isEscaped = false;
    else if (isInString && byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) isInString = !isInString;
    compact[length] = byte;
    length += 1;
  }
  return compact.subarray(0, length);
}
