import { createHmac, timingSafeEqual } from 'node:crypto';

/** The purpose of the key that the API and bookkeepers derive from the master key. */
export const HANDOVER_KEYS = 'questions to bookkeepers';
/** Clocks of two machines differ, and a question takes its way. */
const LIFETIME_MS = 60_000;

/** The signature of a question from the API to a bookkeeper: `MILLISECONDS.HMAC` over the moment and the path. */
export function signQuestion(key: Buffer, path: string, nowMs: number): string {
  return `${nowMs}.${computeTag(key, path, nowMs)}`;
}

/** Whether one of the keys signed the path within the last minute; all of them take the same time. */
export function isSignedQuestion(
  keys: readonly Buffer[],
  path: string,
  { signature, nowMs }: { readonly signature: string; readonly nowMs: number },
): boolean {
  const [at = '', tag = ''] = signature.split('.');
  if (!/^\d{1,15}$/.test(at) || Math.abs(nowMs - Number(at)) > LIFETIME_MS) return false;
  return keys.map((key) => isEqual(computeTag(key, path, Number(at)), tag)).includes(true);
}

function computeTag(key: Buffer, path: string, atMs: number): string {
  return createHmac('sha256', key).update(`${atMs}\n${path}`).digest('base64url');
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
