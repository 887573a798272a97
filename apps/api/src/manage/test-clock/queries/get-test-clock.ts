import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { APP_DIRECTORY, CommandContexts } from '#nest';
import type { AppDirectory } from '#tenancy';
import { requireTestApp } from '../test-apps.js';
import type { TestClockDto } from '../test-clock.dto.js';

/** The time on a test app's clock. */
export class GetTestClock extends Query<TestClockDto> {
  constructor(readonly appId: string) {
    super();
  }
}

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
