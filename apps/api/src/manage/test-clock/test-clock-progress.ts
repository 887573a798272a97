import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { testClockAggregate } from '#domain/test-clock';
import { APP_DIRECTORY, Ledger, STOPPING } from '#nest';
import { Fault, sleep } from '#platform';
import type { ReadModels } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import { READ_MODELS } from '../../tokens.js';

/** An advance answers how far it came after this time; the same call goes on (rules/lifecycle 9). */
const ADVANCE_LIMIT_MS = 20_000;
const ADVANCE_POLL_MS = 15;
/** The read models show an advance moments later, or out of order. */
const SHOW_LIMIT_MS = 10_000;

/** Waits for the steps that a test clock has set going. */
@Injectable()
export class TestClockProgress {
  constructor(
    private readonly ledger: Ledger,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  /**
   * Resolves when the advance is over and the read models show it, or at its bound, or at a stop.
   *
   * @returns the position of the clock's last event.
   */
  async settled(appId: string, limitMs = ADVANCE_LIMIT_MS): Promise<Position> {
    const endsAt = performance.now() + limitMs;
    for (;;) {
      const { state, position } = await this.ledger.load(testClockAggregate, appId);
      const hasTime = performance.now() < endsAt && !this.stopping.aborted;
      const isOver = state.advance === null || !hasTime;
      if (isOver && position !== null) {
        await this.#show(position);
        return position;
      }
      await sleep(ADVANCE_POLL_MS, this.stopping).catch(() => undefined);
    }
  }

  /** The clock has advanced even where the read models are behind: the answer's token then waits for them. */
  async #show(position: Position): Promise<void> {
    try {
      await this.apps.waitFor(position, SHOW_LIMIT_MS);
      await this.readModels.waitFor(position, { timeoutMs: SHOW_LIMIT_MS });
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'unavailable')) throw error;
    }
  }
}
