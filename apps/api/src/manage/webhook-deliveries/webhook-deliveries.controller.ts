import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Refuses } from '#openapi';
import { Allow } from '../../auth/allow.decorator.js';
import { DeliveryListDto, DeliveryListQuery } from './delivery.dto.js';
import { ListDeliveries, ListDeliveriesHandler } from './queries/list-deliveries.js';

/** The use cases behind it; the module provides them. */
export const WEBHOOK_DELIVERY_HANDLERS = [ListDeliveriesHandler];

@ApiTags('management: webhook endpoints')
@Allow('operator')
@Controller('manage/apps/:appId/webhook-endpoints/:id/deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists the deliveries to an endpoint in the last seven days, with all attempts (rules/webhooks 10). */
  @Get()
  @Refuses('WEBHOOK_ENDPOINT_NOT_FOUND')
  list(
    @Param('appId') appId: string,
    @Param('id') id: string,
    @Query() query: DeliveryListQuery,
  ): Promise<DeliveryListDto> {
    return this.queries.execute(new ListDeliveries({ appId, endpointId: id, query }));
  }
}
