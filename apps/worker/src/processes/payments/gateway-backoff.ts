import { GATEWAY_RETRY_BASE_MS, GATEWAY_RETRY_CAP_MS } from '../../limits.js';

/** Jobs that failed together do not come back together. */
const JITTER = 0.2;

/**
 * The wait before the gateway is asked once more, in milliseconds: doubling up to an hour, ±20 %.
 *
 * @param attemptsMade at least 1.
 * @param random from 0 to 1.
 */
export function gatewayBackoffMs(attemptsMade: number, random: number): number {
  const waitMs = Math.min(GATEWAY_RETRY_CAP_MS, GATEWAY_RETRY_BASE_MS * 2 ** (attemptsMade - 1));
  return Math.round(waitMs * (1 - JITTER + 2 * JITTER * random));
}
