import { Body, Controller, Get, Param } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext, PostOk } from '#nest';
import { Refuses } from '#openapi';
import { Allow, ApiCreationHeaders } from '../../auth/allow.decorator.js';
import { ConsistentDirectoryRead } from '../../http/consistency.guard.js';
import {
  AdvanceTestClock,
  AdvanceTestClockHandler,
  GetTestClock,
  GetTestClockHandler,
} from './test-clock.handlers.js';
import { AdvanceTestClockBody, TestClockDto } from './test-clock.dto.js';

/** The use cases behind the endpoints; the module provides them. */
export const TEST_CLOCK_HANDLERS = [AdvanceTestClockHandler, GetTestClockHandler];

@ApiTags('management: test clock')
@Allow('operator')
@Controller('manage/apps/:appId/test-clock')
export class TestClockController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** The time on the app's clock. */
  @Get()
  @Refuses('NOT_A_TEST_APP')
  @ConsistentDirectoryRead()
  now(@Param('appId') appId: string): Promise<TestClockDto> {
    return this.queries.execute(new GetTestClock({ appId }));
  }

  /**
   * Lets time pass: steps that are due until then happen at their own due times. Answers when the read models show it
   * all, or, at its bound, how far it came; the same call goes on.
   */
  @PostOk('advance')
  @Refuses('NOT_A_TEST_APP', 'REVISION_MISMATCH', 'TEST_CLOCK_BACKWARDS', 'TEST_CLOCK_TOO_FAR')
  @ApiCreationHeaders()
  advance(
    @Body() { to }: AdvanceTestClockBody,
    @CommandContext() context: CommandContext,
  ): Promise<TestClockDto> {
    return this.commands.execute(new AdvanceTestClock({ to, context }));
  }
}
