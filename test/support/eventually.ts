import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '#event-store';

/** Long, since a wait that ends early costs nothing, and machines are busy. */
const DEFAULT_LIMIT_MS = 90_000;
/** Short at first, for a condition that is nearly there; then longer, since asking costs the others' time. */
const FIRST_POLL_MS = 5;
const LONGEST_POLL_MS = 100;

/** Waits until a condition holds. @throws Error naming `what`, or the condition, when it does not in time. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  {
    what = condition.toString(),
    limitMs = DEFAULT_LIMIT_MS,
    firstPollMs = FIRST_POLL_MS,
    longestPollMs = LONGEST_POLL_MS,
  }: { what?: string; limitMs?: number; firstPollMs?: number; longestPollMs?: number } = {},
): Promise<void> {
  let pollMs = firstPollMs;
  const endsAt = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > endsAt) throw new Error(`${what}: not within ${limitMs} ms`);
    await sleep(pollMs);
    pollMs = Math.min(pollMs * 1.5, longestPollMs);
  }
}

/**
 * Waits until a client reaches its store: one that found no store there waits before it tries again, and fails calls
 * meanwhile.
 */
export async function untilReached(store: EventStore): Promise<void> {
  const isReached = () =>
    store.ping().then(
      () => true,
      () => false,
    );
  await eventually(isReached, { what: 'the event store' });
}
