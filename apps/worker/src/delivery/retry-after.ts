import { RETRY_AFTER_MAX_MS } from '../limits.js';

/** The date of HTTP, which begins with the day's name and is in GMT (RFC 9110, 5.6.7). */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .{1,30} GMT$/;

/** `Retry-After` in milliseconds, as seconds or as a date; 0 for none, and a day at most (rules/webhooks 6). */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number {
  const [text = ''] = [header ?? ''].flat();
  const waitMs = readWaitMs(text.trim(), nowMs);
  return Number.isNaN(waitMs) ? 0 : Math.min(RETRY_AFTER_MAX_MS, Math.max(0, waitMs));
}

function readWaitMs(text: string, nowMs: number): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // What is neither, the parser of dates may take for a year all the same.
  return HTTP_DATE.test(text) ? Date.parse(text) - nowMs : 0;
}
