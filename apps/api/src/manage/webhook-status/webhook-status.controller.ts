import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Operator } from '#nest';
import { Refuses } from '#openapi';
import type { OperatorIdentity } from '#tenancy';
import { Allow } from '../../auth/allow.decorator.js';
import { ConsistentDirectoryRead, ConsistentRead } from '../../http/consistency.guard.js';
import { PageQuery } from '../../http/page.dto.js';
import {
  GetWebhookStatus,
  GetWebhookStatusHandler,
  ListWebhookStatus,
  ListWebhookStatusHandler,
} from './queries/webhook-status.js';
import {
  ListWebhookFailures,
  ListWebhookFailuresHandler,
} from './queries/list-webhook-failures.js';
import {
  AppWebhookStatusDto,
  WebhookFailureListDto,
  WebhookFailureListQuery,
  WebhookStatusListDto,
} from './webhook-status.dto.js';

/** The use cases behind the endpoints; the module provides them. */
export const WEBHOOK_STATUS_HANDLERS = [
  GetWebhookStatusHandler,
  ListWebhookFailuresHandler,
  ListWebhookStatusHandler,
];

/** How webhooks fare, for those who look why some do not arrive (rules/webhooks 12). */
@ApiTags('management: webhook endpoints')
@Allow('operator')
@Controller('manage')
export class WebhookStatusController {
  constructor(private readonly queries: QueryBus) {}

  /** How the endpoints are of all apps that the operator is for, by pages of apps. */
  @Get('webhook-status')
  @Refuses('LIST_ORDER_CHANGED')
  @ConsistentRead('all')
  list(
    @Operator() operator: OperatorIdentity,
    @Query() query: PageQuery,
  ): Promise<WebhookStatusListDto> {
    return this.queries.execute(new ListWebhookStatus({ operator, page: query }));
  }

  /** How the endpoints of an app are: breakers, deliveries in flight, backlogged and given up. */
  @Get('apps/:appId/webhook-status')
  @ConsistentDirectoryRead()
  ofApp(@Param('appId') appId: string): Promise<AppWebhookStatusDto> {
    return this.queries.execute(new GetWebhookStatus({ appId }));
  }

  /** Lists the deliveries that were given up at an app's endpoints, the last one first. */
  @Get('apps/:appId/webhook-failures')
  @Refuses('WEBHOOK_ENDPOINT_NOT_FOUND')
  @ConsistentDirectoryRead()
  failures(
    @Param('appId') appId: string,
    @Query() query: WebhookFailureListQuery,
  ): Promise<WebhookFailureListDto> {
    return this.queries.execute(new ListWebhookFailures({ appId, query }));
  }
}
