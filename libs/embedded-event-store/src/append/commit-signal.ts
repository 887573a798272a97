type Waiter = () => void;

/**
 * Wakes the readers that wait for new events: those of $all at each commit, those of a stream only
 * when it has new events. They read from the log; nothing is handed over here, so that a slow
 * reader costs nothing and can neither miss an event nor see one twice.
 */
export class CommitSignal {
  readonly #ofAll = new Set<Waiter>();
  readonly #ofStream = new Map<string, Set<Waiter>>();

  /** Calls `waiter` at each commit (of the stream, if one is given) until the answer is called. */
  listen(streamName: string | undefined, waiter: Waiter): () => void {
    if (streamName === undefined) {
      this.#ofAll.add(waiter);
      return () => this.#ofAll.delete(waiter);
    }
    const waiters = this.#ofStream.get(streamName) ?? new Set();
    this.#ofStream.set(streamName, waiters.add(waiter));
    return () => {
      waiters.delete(waiter);
      if (waiters.size === 0) this.#ofStream.delete(streamName);
    };
  }

  wake(streamNames: ReadonlySet<string>): void {
    for (const waiter of this.#ofAll) waiter();
    if (this.#ofStream.size === 0) return;
    for (const name of streamNames) {
      for (const waiter of this.#ofStream.get(name) ?? []) waiter();
    }
  }
}

/** Lets one subscription sleep until there is something to read, or until it is over. */
export class WakeUp {
  #isDue = false;
  #resolve: (() => void) | undefined;
  readonly #stop: () => void;

  constructor(signal: CommitSignal, streamName: string | undefined) {
    this.#stop = signal.listen(streamName, () => this.ring());
  }

  readonly ring = (): void => {
    this.#isDue = true;
    this.#resolve?.();
  };

  /** Resolves at the next commit, or after a limit; at once if there was one since the last time. */
  async sleep(limitMs?: number): Promise<void> {
    const timer = limitMs === undefined ? undefined : setTimeout(() => this.#resolve?.(), limitMs);
    if (!this.#isDue) await new Promise<void>((resolve) => (this.#resolve = resolve));
    clearTimeout(timer);
    this.#resolve = undefined;
    this.#isDue = false;
  }

  stop(): void {
    this.#stop();
  }
}
