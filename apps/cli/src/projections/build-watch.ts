import { sleep } from '#platform';
import {
  type BuildLook,
  type BuildPace,
  type DescribedReadModel,
  describeReadModels,
  lookAtBuild,
  measurePace,
  type ReadModelLedger,
  type ReadModelsReport,
} from '#read-model-operations';
import { CliError } from '../cli-error.js';

/** Long enough to see a rate. */
const POLL_MS = 1_000;
/** A build that no projector feeds, or that is paused, is not watched for longer. */
const STANDSTILL_LIMIT_MS = 60_000;

/** A read model at a moment, with its build. */
export interface WatchedMoment {
  readonly report: ReadModelsReport;
  readonly look: BuildLook;
  readonly pace: BuildPace | undefined;
  /** Nothing takes in history: it is built, or nothing was to be built. */
  readonly isOver: boolean;
}

/** Watches the build of a read model. */
export class BuildWatch {
  #before: BuildLook | undefined;
  #movedAtMs = performance.now();

  constructor(
    private readonly ledger: ReadModelLedger,
    private readonly readModel: string,
    private readonly formerKeptMs: number,
    private readonly standstillLimitMs = STANDSTILL_LIMIT_MS,
  ) {}

  /** The moments of a build, once a second until it is over. @throws CliError where it stands still; Fault. */
  async *follow(): AsyncGenerator<WatchedMoment> {
    for (;;) {
      const moment = await this.look();
      yield moment;
      if (moment.isOver) return;
      if (performance.now() - this.#movedAtMs > this.standstillLimitMs) throw standsStill();
      await sleep(POLL_MS);
    }
  }

  /** The moment now; the pace is that of a second where something is built. @throws Fault. */
  async measure(): Promise<WatchedMoment> {
    const moment = await this.look();
    if (moment.isOver) return moment;
    await sleep(POLL_MS);
    return this.look();
  }

  private async look(): Promise<WatchedMoment> {
    const { ledger, readModel, formerKeptMs } = this;
    const look = await lookAtBuild(ledger, readModel);
    const pace = this.#before && measurePace(this.#before, look);
    if (look.done !== this.#before?.done) this.#movedAtMs = performance.now();
    this.#before = look;
    const report = await describeReadModels(ledger, { formerKeptMs, only: readModel });
    return { report, look, pace, isOver: !report.readModels.some(isTakingInHistory) };
  }
}

function isTakingInHistory({ generations }: DescribedReadModel): boolean {
  return generations.some(({ state, places }) => state === 'building' || isAwaited(state, places));
}

/** One that was asked for, and not begun yet, or is built again since Redis has lost it. */
function isAwaited(state: string, { building }: { readonly building: number }): boolean {
  return state === 'answering' && building > 0;
}

function standsStill(): CliError {
  const message =
    'The build has not moved for a minute: it is paused, waits for the gate, or no projector runs. "list" tells.';
  return new CliError(message, 'unreachable', [], 'BUILD_STANDS_STILL');
}
