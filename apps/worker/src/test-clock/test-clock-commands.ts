import { Inject, Injectable } from '@nestjs/common';
import type { CreatedApp } from '#domain/app';
import type { Instant, Position } from '#domain/event';
import { testClockAggregate, type TestClock, type TestClockCommand } from '#domain/test-clock';
import type { CommandExecutor } from '#event-store';
import { assertDefect, deriveUuid, wallClock } from '#platform';
import type { AppDirectory } from '#tenancy';
import { FOLLOW_LIMIT_MS } from '../limits.js';
import { APPS, COMMANDS } from '../tokens.js';

/** A clock's known place on its way; it moves from there alone. */
type Advance = NonNullable<TestClock['advance']>;

/**
 * The commands that move a test clock. Each resolves when this process has followed the clock's
 * events that far.
 */
@Injectable()
export class TestClockCommands {
  constructor(
    @Inject(COMMANDS) private readonly commands: CommandExecutor,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'testClock' | 'waitFor'>,
  ) {}

  /** The end of the clock's stream; null when there is none. @throws Fault of the store. */
  async findPosition(appId: string): Promise<Position | null> {
    return (await this.commands.load(testClockAggregate, appId)).position;
  }

  /** The clock's place on its way, and its target; null while it rests. @throws Fault of the store. */
  async findAdvance(appId: string) {
    return (await this.apps.testClock(appId)).advance;
  }

  /** @throws Fault of the store. */
  async step(app: CreatedApp, advance: Advance, to: Instant): Promise<void> {
    await this.#execute(app, { kind: 'StepTestClock', to, advance });
  }

  /** @throws Fault of the store. */
  async reachTarget(app: CreatedApp, advance: Advance): Promise<void> {
    await this.#execute(app, { kind: 'ReachTarget', wallNow: wallClock.now(), advance });
  }

  async #execute({ appId, environment }: CreatedApp, command: TestClockCommand): Promise<void> {
    const result = await this.commands.execute(testClockAggregate, appId, command, {
      appId,
      environment,
      actor: 'process:advance_test_clock',
      correlationId: deriveUuid(`${appId}/test_clock`),
      now: wallClock.now(),
    });
    assertDefect(result.accepted, `the test clock of ${appId} refused ${command.kind}`);
    if (result.position !== null) await this.apps.waitFor(result.position, FOLLOW_LIMIT_MS);
  }
}
