import type { CommitSignal } from '../append/commit-signal.js';

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
