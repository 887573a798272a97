import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CreatedApp } from '#domain/app';
import { parseInstant } from '#domain/calendar';
import { testClockAggregate } from '#domain/test-clock';
import type { CommandExecutor } from '#event-store';
import {
  ApiError,
  APP_DIRECTORY,
  CLOCK,
  COMMAND_EXECUTOR,
  CommandContexts,
  setConsistencyToken,
  STOPPING,
} from '#nest';
import { type Clock, sleep } from '#platform';
import type { ReadModels } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import { Callers } from '../auth/callers.decorator.js';
import { RunCommand } from '../commands/run-command.js';
import { ConsistentDirectoryRead } from '../http/consistency.guard.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { READ_MODELS } from '../tokens.js';
import { AdvanceTestClockBody, TestClockDto } from './test-clock.dto.js';

/** An advance answers how far it came after this time; the same call goes on (rules/lifecycle 9). */
const ADVANCE_LIMIT_MS = 20_000;
const ADVANCE_POLL_MS = 15;

@ApiTags('management: test clock')
@Callers('operator')
@Controller('manage/apps/:appId/test-clock')
export class TestClockController {
  constructor(
    private readonly bus: CommandBus,
    private readonly contexts: CommandContexts,
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  /** What the app's clock shows. */
  @Get()
  @ConsistentDirectoryRead()
  async now(@Param('appId') appId: string): Promise<TestClockDto> {
    return { now: this.apps.now(await this.testApp(appId)) };
  }

  /**
   * Lets time pass: what is due until then happens at its own due time. Answers when the read models
   * show it all, or, at its bound, how far it came; the same call goes on.
   */
  @Post('advance')
  @HttpCode(200)
  @AnswersWith('x-consistency-token')
  async advance(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Body() body: AdvanceTestClockBody,
  ): Promise<TestClockDto> {
    const app = await this.testApp(appId);
    const to = parseInstant(body.to) ?? body.to;
    const context = await this.contexts.withoutIdempotency(request, appId);
    const command = { kind: 'RequestAdvance', appId, to, wallNow: this.clock.now() } as const;
    await this.bus.execute(
      new RunCommand(testClockAggregate, appId, command, context, { what: 'test clock' }),
    );
    const endsAt = performance.now() + ADVANCE_LIMIT_MS;
    for (;;) {
      const { state, position } = await this.commands.load(testClockAggregate, appId);
      const hasTime = performance.now() < endsAt && !this.stopping.aborted;
      const isOver = state.advance === null || !hasTime;
      if (isOver && position !== null) {
        await this.apps.waitFor(position, ADVANCE_LIMIT_MS);
        await this.readModels.waitFor(position, { timeoutMs: ADVANCE_LIMIT_MS });
        setConsistencyToken(reply, position);
        return { now: this.apps.now(app) };
      }
      await sleep(ADVANCE_POLL_MS, this.stopping).catch(() => undefined);
    }
  }

  private async testApp(appId: string): Promise<CreatedApp> {
    const app = await this.contexts.appOf(appId);
    if (app.environment === 'test') return app;
    throw new ApiError('FAILED_PRECONDITION', {
      reason: 'NOT_A_TEST_APP',
      message: 'Only an app of the environment test has a test clock.',
    });
  }
}
