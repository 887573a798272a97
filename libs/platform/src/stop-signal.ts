type OnAbort = () => void;

/** An `AbortSignal`, or what does as one where only this much of it is asked for. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: OnAbort, options?: { readonly once: boolean }): void;
  removeEventListener(type: 'abort', listener: OnAbort): void;
}

/**
 * A signal for one act of thousands: of each `AbortSignal` that Node.js makes, V8 keeps 700 bytes until it collects its
 * old memory (docs/performance.md, "Deliveries").
 */
export class LightSignal implements StopSignal {
  #listeners: OnAbort[] = [];
  #aborted: { readonly reason: unknown } | undefined;

  get aborted(): boolean {
    return this.#aborted !== undefined;
  }

  get reason(): unknown {
    return this.#aborted?.reason;
  }

  /** The first reason stays. */
  abort(reason: unknown): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = { reason };
    for (const listener of this.#listeners.splice(0)) listener();
  }

  addEventListener(_type: 'abort', listener: OnAbort): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: OnAbort): void {
    this.#listeners = this.#listeners.filter((each) => each !== listener);
  }
}
