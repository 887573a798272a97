/** The checks of every answer, whatever the request: the form of refusals, their size, their words. */
import type { WireAnswer } from './exchange.js';

/** HTTP statuses of each code of google.rpc that we answer with. */
const STATUSES_OF_CODE: Readonly<Record<number, readonly number[]>> = {
  3: [400, 408, 413, 414, 415, 417, 431],
  5: [404],
  6: [409],
  7: [403],
  8: [413, 429],
  9: [400, 412],
  10: [409],
  12: [405],
  16: [401],
};

const MOST_BYTES = 64 * 1024;
const MOST_VIOLATIONS = 100;
/** Far beyond the time of an answer, so that a busy machine is no finding, and a blocked loop is. */
const LONGEST_MS = 10_000;

/** Words of programs, of which a refusal has none. */
const INTERNALS =
  /\bat [\w.<>]+ \(|node_modules|file:\/\/|\.(ts|js):\d+|(Type|Reference|Range)Error|Cannot read prop|is not a function|\[object |ECONN|esdb:|redis:/;

const TYPE = 'type.googleapis.com/google.rpc.';
const KNOWN_DETAILS = new Set(
  ['ErrorInfo', 'BadRequest', 'RetryInfo', 'RequestInfo'].map((name) => TYPE + name),
);

/** The verdict's needs of a request. */
export interface Asked {
  readonly method: string;
  /** Whether a refusal may be a page for people. */
  readonly isPage: boolean;
}

/** @returns the errors of an answer; none, for one as it should be. */
export function judgeAnswer({ method, isPage }: Asked, answer: WireAnswer): readonly string[] {
  const { status, headers, bytes, tookMs } = answer;
  const complaints: string[] = [];
  const hold = (holds: boolean, complaint: string) => {
    if (!holds) complaints.push(complaint);
  };
  hold(status < 500, `status ${status}`);
  hold(status >= 200, `status ${status}`);
  // 408 is the answer to a request that never came whole: it takes as long as its sender was given.
  hold(status === 408 || tookMs < LONGEST_MS, `took ${Math.round(tookMs)} ms`);
  hold(typeof headers['x-request-id'] === 'string', 'no x-request-id');
  hold(headers['cache-control'] !== undefined, 'no cache-control');
  if (status < 400) return complaints;
  hold(bytes.length <= MOST_BYTES, `a refusal of ${bytes.length} bytes`);
  hold(status !== 401 || headers['www-authenticate'] !== undefined, '401 without WWW-Authenticate');
  hold(status !== 405 || headers['allow'] !== undefined, '405 without Allow');
  hold(status !== 429 || headers['retry-after'] !== undefined, '429 without Retry-After');
  const text = utf8(bytes);
  if (text === undefined) return [...complaints, 'an answer that is no UTF-8'];
  const internals = INTERNALS.exec(text)?.[0];
  hold(internals === undefined, `internals in the answer: ${internals ?? ''}`);
  const type = headers['content-type'];
  if (method === 'HEAD' || (isPage && type?.includes('text/html') === true)) return complaints;
  hold(type === 'application/json; charset=utf-8', `content type ${String(type)}`);
  return [...complaints, ...judgeBody(status, text)];
}

function judgeBody(status: number, text: string): readonly string[] {
  const body = parse(text);
  if (body === undefined) return [`a refusal that is no JSON object: ${text.slice(0, 200)}`];
  const { code, message, details, ...more } = body;
  const complaints: string[] = [];
  const hold = (holds: boolean, complaint: string) => {
    if (!holds) complaints.push(complaint);
  };
  hold(Object.keys(more).length === 0, `a refusal with ${Object.keys(more).join()}`);
  hold(
    STATUSES_OF_CODE[Number(code)]?.includes(status) === true,
    `${status} with code ${String(code)}`,
  );
  hold(typeof message === 'string' && message.length > 10, 'no message');
  if (!Array.isArray(details)) return [...complaints, 'no details'];
  const all = details as readonly Record<string, unknown>[];
  hold(
    all.every((one) => KNOWN_DETAILS.has(String(one['@type']))),
    'details of an unknown type',
  );
  const infos = all.filter((one) => one['@type'] === `${TYPE}ErrorInfo`);
  hold(infos.length === 1, `${infos.length} ErrorInfo`);
  hold(/^[A-Z][A-Z0-9_]*$/.test(String(infos[0]?.['reason'])), 'no reason');
  hold(infos[0]?.['domain'] === 'subledger', 'no domain');
  const bad = all.filter((one) => one['@type'] === `${TYPE}BadRequest`);
  hold(bad.length <= 1, `${bad.length} BadRequest`);
  const violations = (bad[0]?.['fieldViolations'] ?? []) as Record<string, unknown>[];
  hold(violations.length <= MOST_VIOLATIONS, `${violations.length} violations`);
  hold(violations.every(isViolation), 'a violation without field or description');
  const hasRetryInfo = all.some((one) => one['@type'] === `${TYPE}RetryInfo`);
  hold(status !== 429 || hasRetryInfo, '429 without RetryInfo');
  return complaints;
}

function isViolation({ field, description }: Record<string, unknown>): boolean {
  return typeof field === 'string' && typeof description === 'string' && description !== '';
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
