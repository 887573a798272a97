import { sleep } from '#platform';

/** The first look comes after this time, then less and less often: most outcomes are there shortly. */
const FIRST_LOOK_MS = 10;
const SLOWEST_LOOK_MS = 250;
const LOOK_SLOWER_BY = 1.2;
/** Where news come by themselves, the looks beside them are for news that were missed. */
const LOOK_BESIDE_NEWS_MS = 1_000;

interface LookOptions {
  readonly limitMs: number;
  readonly stopping: AbortSignal;
  /** Begins to wait for news of what is looked at; resolves with them, or when the signal is aborted. */
  readonly news?: (signal: AbortSignal) => Promise<void>;
}

/**
 * Looks at once and again until there is an outcome, within the bound: after a while, or when there are news
 * where these are known. A stop is not held up: what brings the outcome goes on.
 *
 * @param look answers undefined while there is none. @returns undefined where the time is over, or at a stop.
 * @throws what a look throws.
 */
export async function lookUntil<T>(
  look: () => Promise<T | undefined>,
  { limitMs, stopping, news }: LookOptions,
): Promise<T | undefined> {
  const endsAt = performance.now() + limitMs;
  let waitMs = news === undefined ? FIRST_LOOK_MS : LOOK_BESIDE_NEWS_MS;
  do {
    const ended = new AbortController();
    const end = () => ended.abort();
    stopping.addEventListener('abort', end);
    // The wait begins before the look, so that no news are missed.
    const told = news?.(ended.signal);
    try {
      const outcome = await look();
      if (outcome !== undefined || stopping.aborted) return outcome;
      const leftMs = Math.min(waitMs, Math.max(0, endsAt - performance.now()));
      const slept = sleep(leftMs, ended.signal).catch(() => undefined);
      await (told === undefined ? slept : Promise.race([told, slept]));
    } finally {
      stopping.removeEventListener('abort', end);
      end();
    }
    if (news === undefined) waitMs = Math.min(waitMs * LOOK_SLOWER_BY, SLOWEST_LOOK_MS);
  } while (performance.now() < endsAt);
  return undefined;
}
