import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import type { EventStore } from '#event-store';
import { metrics } from '#platform';
import type { ReadModels } from '#projection-engine';
import { EVENT_STORE, READ_MODELS } from '../tokens.js';

/** Whether the process lives, whether it can serve, and its figures (decisions 2). */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** The process answers; nothing else is asked. */
  @Get('healthz')
  @Header('cache-control', 'no-store')
  live(): { status: string } {
    return { status: 'ok' };
  }

  /** Store and Redis answer: requests can be served. */
  @Get('readyz')
  @Header('cache-control', 'no-store')
  ready() {
    return this.health.check([
      () => this.probe('eventStore', this.store.ping()),
      () => this.probe('redis', this.readModels.ping()),
    ]);
  }

  /** The process's metrics in the format of Prometheus. */
  @Get('metrics')
  @Header('content-type', metrics.contentType)
  async figures(): Promise<string> {
    return metrics.metrics();
  }

  private async probe(name: string, answer: Promise<unknown>) {
    const indicator = this.indicators.check(name);
    try {
      await answer;
      return indicator.up();
    } catch {
      // The reason stands in the log; a readiness page is public and says only yes or no.
      return indicator.down();
    }
  }
}
