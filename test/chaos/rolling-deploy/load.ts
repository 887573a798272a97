import type { Findings } from '../full-disk/findings.js';
import type { DeployedLedger } from './ledger.js';

const PER_SECOND = 8;

/** Purchases that go on, at a steady rate, until they are ended. One that fails is a finding. */
export class Load {
  readonly #tookMs: number[] = [];
  #isOver = false;
  readonly #running: Promise<void>;

  constructor(
    private readonly ledger: { readonly purchases: Pick<DeployedLedger['purchases'], 'buyAtRate'> },
    private readonly findings: Pick<Findings, 'add'>,
  ) {
    this.#running = this.#run();
  }

  /** Resolves when all that were begun are complete. @returns how long each took, in milliseconds. */
  async end(): Promise<readonly number[]> {
    this.#isOver = true;
    await this.#running;
    return this.#tookMs;
  }

  async #run(): Promise<void> {
    const underWay: Promise<unknown>[] = [];
    while (!this.#isOver) {
      const startedAtMs = performance.now();
      const second = this.ledger.purchases.buyAtRate(PER_SECOND, PER_SECOND);
      underWay.push(
        second.then(
          (took) => this.#tookMs.push(...took),
          (error: unknown) => this.findings.add('a purchase failed', String(error)),
        ),
      );
      const leftMs = 1_000 - (performance.now() - startedAtMs);
      await new Promise((resolve) => setTimeout(resolve, leftMs));
    }
    await Promise.all(underWay);
  }
}
