import { Module } from '@nestjs/common';
import { collectProcessMetrics } from '#platform';
import { HealthController } from './health.controller.js';

/** Health and metrics on the API's own port, where ADMIN_PORT gives them none of their own. */
@Module({ controllers: [HealthController] })
export class HealthModule {
  constructor() {
    collectProcessMetrics();
  }
}
