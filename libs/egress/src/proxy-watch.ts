/**
 * For so long after its last success a proxy is taken to be at fault. Where nothing has succeeded for longer, it may be
 * that all receivers are dead that anything is sent to: their attempts count, or they would be tried for ever.
 */
const AT_FAULT_FOR_MS = 3_600_000;

/** So many targets in a row, which have nothing to do with each other. */
const TARGETS_AT_FAULT = 2;

/**
 * Whether a failed connection is the proxy's own failure, or its target's: it answers 504, or nothing, for both. Where
 * several targets in a row fail so and none succeeds, it is the proxy (rules/http 1).
 */
export class ProxyWatch {
  readonly #failed = new Set<string>();
  #succeededAtMs = performance.now();

  succeeded(): void {
    this.#failed.clear();
    this.#succeededAtMs = performance.now();
  }

  /**
   * @param hostname of the target: the addresses and ports of one receiver are often dead together.
   * @returns whether the proxy has failed, and not the target.
   */
  failed(hostname: string): boolean {
    if (this.#failed.size < TARGETS_AT_FAULT) this.#failed.add(hostname);
    const isLately = performance.now() - this.#succeededAtMs < AT_FAULT_FOR_MS;
    return isLately && this.#failed.size >= TARGETS_AT_FAULT;
  }
}
