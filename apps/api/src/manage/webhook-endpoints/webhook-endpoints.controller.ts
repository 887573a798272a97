import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext } from '#nest';
import { Allow } from '../../auth/allow.decorator.js';
import { ConsistentDirectoryRead } from '../../http/consistency.guard.js';
import { PageQuery } from '../../http/page.dto.js';
import { AnswersWith } from '../../openapi/answer-headers.js';
import {
  CreateWebhookEndpoint,
  CreateWebhookEndpointHandler,
} from './commands/create-webhook-endpoint.js';
import {
  DeleteWebhookEndpoint,
  DeleteWebhookEndpointHandler,
} from './commands/delete-webhook-endpoint.js';
import { GetWebhookEndpoint, GetWebhookEndpointHandler } from './queries/get-webhook-endpoint.js';
import {
  ListWebhookEndpoints,
  ListWebhookEndpointsHandler,
} from './queries/list-webhook-endpoints.js';
import {
  CreatedWebhookEndpointDto,
  CreateWebhookEndpointBody,
  WebhookEndpointDto,
  WebhookEndpointListDto,
} from './webhook-endpoint.dto.js';

/** The use cases behind the endpoints; the module provides them. */
export const WEBHOOK_ENDPOINT_HANDLERS = [
  CreateWebhookEndpointHandler,
  DeleteWebhookEndpointHandler,
  GetWebhookEndpointHandler,
  ListWebhookEndpointsHandler,
];

@ApiTags('management: webhook endpoints')
@Allow('operator')
@Controller('manage/apps/:appId/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Creates an endpoint; its secret is shown in this answer and never again (rules/webhooks 7). */
  @Post()
  @HttpCode(200)
  @AnswersWith('ETag', 'x-consistency-token')
  create(
    @Param('appId') _appId: string,
    @Body() body: CreateWebhookEndpointBody,
    @CommandContext({ withoutIdempotency: true }) context: CommandContext,
  ): Promise<CreatedWebhookEndpointDto> {
    return this.commands.execute(new CreateWebhookEndpoint(body, context));
  }

  /** Lists the endpoints of an app. */
  @Get()
  @ConsistentDirectoryRead()
  list(@Param('appId') appId: string, @Query() query: PageQuery): Promise<WebhookEndpointListDto> {
    return this.queries.execute(new ListWebhookEndpoints(appId, query));
  }

  /** One endpoint, without its secret. */
  @Get(':id')
  @ConsistentDirectoryRead()
  byId(@Param('appId') appId: string, @Param('id') id: string): Promise<WebhookEndpointDto> {
    return this.queries.execute(new GetWebhookEndpoint(appId, id));
  }

  /** Deletes an endpoint; what it has not received yet is dropped. */
  @Delete(':id')
  @HttpCode(204)
  @AnswersWith('ETag', 'x-consistency-token')
  delete(
    @Param('appId') _appId: string,
    @Param('id') id: string,
    @CommandContext({ withoutIdempotency: true }) context: CommandContext,
  ): Promise<void> {
    return this.commands.execute(new DeleteWebhookEndpoint(id, context));
  }
}
