/** The first poll comes after this time, then less and less often: most outcomes are there shortly. */
const FIRST_POLL_MS = 10;
const SLOWEST_POLL_MS = 250;
const POLL_SLOWER_BY = 1.2;
/** Where news come by themselves, the looks beside them are for news that were missed. */
const POLL_BESIDE_NEWS_MS = 1_000;

interface LookOptions {
  readonly limitMs: number;
  readonly stopping: AbortSignal;
  /** Calls back with each news of the looked-at object. @returns the function that ends that. */
  readonly onNews?: (tell: () => void) => () => void;
}

/**
 * Looks at once and again until there is an outcome, within the bound: after a while, or when there are news where
 * these are known. A stop is not held up: the work behind the outcome goes on.
 *
 * @param look answers undefined while there is none; it gets whether news may have been missed, so that
 *   memory does not say enough. @returns undefined where the time is over, or at a stop.
 * @throws the error of a look.
 */
export async function lookUntil<T>(
  look: (mayHaveMissedNews: boolean) => Promise<T | undefined>,
  { limitMs, stopping, onNews }: LookOptions,
): Promise<T | undefined> {
  const endsAt = performance.now() + limitMs;
  const bell = new Bell();
  const ring = () => bell.ring();
  // The wait begins before the first poll, so that no news are missed.
  const end = onNews?.(ring);
  stopping.addEventListener('abort', ring);
  let waitMs = onNews === undefined ? FIRST_POLL_MS : POLL_BESIDE_NEWS_MS;
  let mayHaveMissedNews = onNews === undefined;
  try {
    do {
      const outcome = await look(mayHaveMissedNews);
      if (outcome !== undefined || stopping.aborted) return outcome;
      const isNews = await bell.waitFor(Math.min(waitMs, Math.max(0, endsAt - performance.now())));
      if (onNews === undefined) waitMs = Math.min(waitMs * POLL_SLOWER_BY, SLOWEST_POLL_MS);
      else mayHaveMissedNews = !isNews;
    } while (performance.now() < endsAt);
    return undefined;
  } finally {
    stopping.removeEventListener('abort', ring);
    end?.();
  }
}

/** Rings are kept until a look waits for one. A timer and a call are a tenth of the cost of Node's signals. */
class Bell {
  #hasRung = false;
  #wake: () => void = () => undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake();
  }

  /** Resolves when it rings, or after this time. @returns whether it rang. */
  async waitFor(limitMs: number): Promise<boolean> {
    if (!this.#hasRung) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, limitMs);
      });
      clearTimeout(timer);
    }
    const hasRung = this.#hasRung;
    this.#hasRung = false;
    return hasRung;
  }
}
