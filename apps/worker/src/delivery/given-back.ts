import { jitteredDelayMs } from '#platform';
import { GIVEN_BACK_CAP_MS, GIVEN_BACK_FOR_MS } from '../limits.js';

/**
 * How long a delivery waits that goes back as it was, since our own side failed (rules/http 1).
 *
 * @param times how often in a row it went back before: the first time it may be a stop, or a moment.
 */
export function waitGivenBackMs(times: number): number {
  if (times === 0) return GIVEN_BACK_FOR_MS;
  return GIVEN_BACK_FOR_MS + jitteredDelayMs(times, GIVEN_BACK_FOR_MS, GIVEN_BACK_CAP_MS);
}
