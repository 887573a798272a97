import { Inject, Injectable } from '@nestjs/common';
import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import type { CreatedApp } from '#domain/app';
import { earlierInstant, parseInstant } from '#domain/calendar';
import type { Position } from '#domain/event';
import { testClockAggregate } from '#domain/test-clock';
import {
  answer,
  ApiError,
  APP_DIRECTORY,
  CLOCK,
  type CommandContext,
  CommandContexts,
  commandWith,
  Ledger,
  queryWith,
  STOPPING,
} from '#nest';
import { type Clock, Fault, sleep } from '#platform';
import type { ReadModels } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import { READ_MODELS } from '../../tokens.js';
import type { TestClockDto } from './test-clock.dto.js';

/** @throws ApiError where there is no such app, and where it is no test app: only those have a clock. */
async function requireTestApp(contexts: CommandContexts, appId: string): Promise<CreatedApp> {
  const app = await contexts.requireApp(appId);
  if (app.environment === 'test') return app;
  throw new ApiError('FAILED_PRECONDITION', {
    reason: 'NOT_A_TEST_APP',
    message: 'Only an app of the environment test has a test clock.',
  });
}

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

/** Lets time pass in a test app: steps that are due until then happen at their own due times (rules/lifecycle 9). */
export class AdvanceTestClock extends commandWith<
  { to: string; context: CommandContext },
  TestClockDto
>() {}

@CommandHandler(AdvanceTestClock)
export class AdvanceTestClockHandler implements ICommandHandler<AdvanceTestClock> {
  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly progress: TestClockProgress,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ to: text, context }: AdvanceTestClock): Promise<TestClockDto> {
    const { appId } = context;
    const app = await requireTestApp(this.contexts, appId);
    const to = parseInstant(text) ?? text;
    const command = { kind: 'RequestAdvance', appId, to, wallNow: this.clock.now() } as const;
    const result = await this.ledger.execute(testClockAggregate, appId, command, context);
    const position = await this.progress.settled(appId);
    // It ticks on since it came there, and the same key gets the same answer.
    const now = earlierInstant(await this.apps.now(app), to);
    return answer({ now }, { position, replayed: result.replayed });
  }
}

/** The time on a test app's clock. */
export class GetTestClock extends queryWith<{ appId: string }, TestClockDto>() {}

@QueryHandler(GetTestClock)
export class GetTestClockHandler implements IQueryHandler<GetTestClock> {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
  ) {}

  async execute({ appId }: GetTestClock): Promise<TestClockDto> {
    return { now: await this.apps.now(await requireTestApp(this.contexts, appId)) };
  }
}
