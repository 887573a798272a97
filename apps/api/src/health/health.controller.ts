import { Controller, Get, Header, Module } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Readiness, type ReadyReport } from '#nest/program';
import { collectProcessMetrics, metrics } from '#platform';
import { Public } from '../auth/allow.decorator.js';

/** Whether the process lives, whether it can serve, and its figures (rules/api 10). */
@ApiExcludeController()
@Public()
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process answers; nothing else is asked. */
  @Get('healthz')
  live(): { status: string } {
    return { status: 'ok' };
  }

  /** Store and Redis answer: requests can be served. */
  @Get('readyz')
  ready(): Promise<ReadyReport> {
    return this.readiness.require();
  }

  /** The process's metrics in the format of Prometheus. */
  @Get('metrics')
  @Header('content-type', metrics.contentType)
  async figures(): Promise<string> {
    return metrics.metrics();
  }
}

/** Health and metrics on the API's own port, where ADMIN_PORT gives them none of their own. */
@Module({ controllers: [HealthController] })
export class HealthModule {
  constructor() {
    collectProcessMetrics();
  }
}
