import {
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhenResult,
} from 'cockatiel';

export interface BreakerOptions {
  /** So many calls that fail in a row open it. */
  readonly failures: number;
  /** For how long it is open at first. That doubles each time, up to the other one. */
  readonly openAtFirstMs: number;
  readonly openAtMostMs: number;
}

export type BreakerState = 'closed' | 'open' | 'half_open';

/** For this share longer or shorter, at random: breakers that opened together do not close together. */
const OPEN_JITTER = 0.2;

/**
 * A circuit breaker of cockatiel that learns how calls ended and makes none itself: cockatiel would start all calls
 * together that wait for a probe, and would take the end of a call that says nothing for a success. While it is half
 * open, the caller makes one call at a time.
 */
export class Breaker {
  readonly #policy: CircuitBreakerPolicy;
  #openUntilMs = 0;

  constructor(options: BreakerOptions, initialState?: unknown) {
    this.#policy = circuitBreaker(
      handleWhenResult((isGood) => isGood === false),
      {
        breaker: new ConsecutiveBreaker(options.failures),
        halfOpenAfter: new DelegateBackoff(({ attempt }: { readonly attempt: number }) =>
          this.#open(attempt, options),
        ),
        ...(initialState === undefined ? {} : { initialState }),
      },
    );
    if (initialState !== undefined) this.#openUntilMs = 0;
  }

  /** One that lets a call through now, and opens again where that fails. */
  static halfOpen(options: BreakerOptions): Breaker {
    const ownState = { value: CircuitState.Open, openedAt: 0, attemptNo: 1 };
    return new Breaker(options, { ownState, breakerState: options.failures });
  }

  get state(): BreakerState {
    if (this.#policy.state === CircuitState.Closed) return 'closed';
    return Date.now() < this.#openUntilMs ? 'open' : 'half_open';
  }

  /** By the wall clock; 0 where it is not open. */
  get openUntilMs(): number {
    return this.state === 'open' ? this.#openUntilMs : 0;
  }

  /** A call has ended. While the breaker is open that says nothing new: the call began before. */
  async note(isGood: boolean): Promise<void> {
    if (this.state !== 'open') await this.#policy.execute(async () => isGood);
  }

  #open(attempt: number, { openAtFirstMs, openAtMostMs }: BreakerOptions): number {
    const forMs = Math.min(openAtMostMs, openAtFirstMs * 2 ** (attempt - 1));
    const jitteredMs = Math.round(forMs * (1 - OPEN_JITTER + 2 * OPEN_JITTER * Math.random()));
    this.#openUntilMs = Date.now() + jitteredMs;
    return jitteredMs;
  }
}
