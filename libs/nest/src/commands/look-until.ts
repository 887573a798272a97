import { sleep } from '#platform';

/** The first look comes after this time, then less and less often: most outcomes are there shortly. */
const FIRST_LOOK_MS = 10;
const SLOWEST_LOOK_MS = 250;
const LOOK_SLOWER_BY = 1.2;

/**
 * Looks at once and again until there is an outcome, within the bound. A stop is not held up: what brings the
 * outcome goes on.
 *
 * @param look answers undefined while there is none. @returns undefined where the time is over, or at a stop.
 * @throws what a look throws.
 */
export async function lookUntil<T>(
  look: () => Promise<T | undefined>,
  { limitMs, stopping }: { readonly limitMs: number; readonly stopping: AbortSignal },
): Promise<T | undefined> {
  const endsAt = performance.now() + limitMs;
  let waitMs = FIRST_LOOK_MS;
  do {
    const outcome = await look();
    if (outcome !== undefined || stopping.aborted) return outcome;
    await sleep(waitMs, stopping).catch(() => undefined);
    waitMs = Math.min(waitMs * LOOK_SLOWER_BY, SLOWEST_LOOK_MS);
  } while (performance.now() < endsAt);
  return undefined;
}
