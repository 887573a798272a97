import type { Instant } from '#domain/event';

/** The time as a port: decisions are given it, and tests choose it. */
export interface Clock {
  /** The present instant, UTC with milliseconds. */
  now(): Instant;
}

/** Writing an instant takes 0.5 us, and a request asks for the time more than once. */
let lastMs = 0;
let lastText: Instant = '';

/** The machine's clock. */
export const wallClock: Clock = {
  now: () => {
    const nowMs = Date.now();
    if (nowMs === lastMs) return lastText;
    lastMs = nowMs;
    lastText = new Date(nowMs).toISOString();
    return lastText;
  },
};
