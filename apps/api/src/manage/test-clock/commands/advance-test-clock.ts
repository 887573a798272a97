import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { earlierInstant, parseInstant } from '#domain/calendar';
import { testClockAggregate } from '#domain/test-clock';
import { answer, APP_DIRECTORY, CLOCK, type CommandContext, CommandContexts, Ledger } from '#nest';
import type { Clock } from '#platform';
import type { AppDirectory } from '#tenancy';
import { requireTestApp } from '../test-apps.js';
import { TestClockProgress } from '../test-clock-progress.js';
import type { TestClockDto } from '../test-clock.dto.js';

/** Lets time pass in a test app: steps that are due until then happen at their own due times (rules/lifecycle 9). */
export class AdvanceTestClock extends Command<TestClockDto> {
  constructor(
    readonly to: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

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
