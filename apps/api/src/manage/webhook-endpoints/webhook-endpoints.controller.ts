import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext, CommandContextShowingSecret, PostOk } from '#nest';
import { Refuses } from '#openapi';
import {
  Allow,
  ApiCommandHeaders,
  ApiSecretCreationHeaders,
  ApiSecretRotationHeaders,
} from '../../auth/allow.decorator.js';
import { ConsistentDirectoryRead } from '../../http/consistency.guard.js';
import { EmptyBody } from '../../http/empty-body.dto.js';
import { PageQuery } from '../../http/page.dto.js';
import {
  ChangeWebhookEndpoint,
  ChangeWebhookEndpointHandler,
  DeleteWebhookEndpoint,
  DeleteWebhookEndpointHandler,
  RequestTestMessage,
  RequestTestMessageHandler,
  SetWebhookEndpointState,
  SetWebhookEndpointStateHandler,
} from './commands/endpoint-changes.js';
import {
  CreateWebhookEndpoint,
  CreateWebhookEndpointHandler,
} from './commands/create-webhook-endpoint.js';
import { RequestResend, RequestResendHandler } from './commands/request-resend.js';
import {
  RotateWebhookSecret,
  RotateWebhookSecretHandler,
} from './commands/rotate-webhook-secret.js';
import { EndpointChecks } from './endpoint-rules.js';
import {
  GetWebhookEndpoint,
  GetWebhookEndpointHandler,
  ListWebhookEndpoints,
  ListWebhookEndpointsHandler,
} from './queries/read-endpoints.js';
import { RequestedResendDto, ResendWebhooksBody, TestWebhookBody } from './resend.dto.js';
import {
  ChangeWebhookEndpointBody,
  CreatedWebhookEndpointDto,
  CreateWebhookEndpointBody,
  RotateWebhookSecretBody,
  WebhookEndpointDto,
  WebhookEndpointListDto,
  WebhookSecretDto,
} from './webhook-endpoint.dto.js';

/** The use cases behind the endpoints; the module provides them. */
export const WEBHOOK_ENDPOINT_HANDLERS = [
  CreateWebhookEndpointHandler,
  ChangeWebhookEndpointHandler,
  SetWebhookEndpointStateHandler,
  RotateWebhookSecretHandler,
  RequestTestMessageHandler,
  RequestResendHandler,
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
  @PostOk()
  @Refuses('SECRET_SHOWN_ALREADY', 'TOO_MANY_WEBHOOK_ENDPOINTS')
  @ApiSecretCreationHeaders()
  @UseInterceptors(EndpointChecks)
  create(
    @Body() body: CreateWebhookEndpointBody,
    @CommandContextShowingSecret() context: CommandContext,
  ): Promise<CreatedWebhookEndpointDto> {
    return this.commands.execute(new CreateWebhookEndpoint({ endpoint: body, context }));
  }

  /** Lists the endpoints of an app. */
  @Get()
  @ConsistentDirectoryRead()
  list(@Param('appId') appId: string, @Query() query: PageQuery): Promise<WebhookEndpointListDto> {
    return this.queries.execute(new ListWebhookEndpoints({ appId, page: query }));
  }

  /** One endpoint, without its secret. */
  @Get(':id')
  @Refuses('WEBHOOK_ENDPOINT_NOT_FOUND')
  @ConsistentDirectoryRead()
  byId(@Param('appId') appId: string, @Param('id') id: string): Promise<WebhookEndpointDto> {
    return this.queries.execute(new GetWebhookEndpoint({ appId, id }));
  }

  /** Changes settings of an endpoint; omitted settings stay as they are (rules/webhooks 7). */
  @Patch(':id')
  @Refuses('WEBHOOK_ENDPOINT_NOT_FOUND')
  @ApiCommandHeaders()
  @UseInterceptors(EndpointChecks)
  change(
    @Param('id') id: string,
    @Body() body: ChangeWebhookEndpointBody,
    @CommandContext() context: CommandContext,
  ): Promise<WebhookEndpointDto> {
    return this.commands.execute(new ChangeWebhookEndpoint({ id, changes: body, context }));
  }

  /** Disables an endpoint: it is sent nothing, and its messages are held (rules/webhooks 7). */
  @PostOk(':id/disable')
  @Refuses('WEBHOOK_ENDPOINT_NOT_FOUND')
  @ApiCommandHeaders()
  disable(
    @Param('id') id: string,
    @Body() _body: EmptyBody,
    @CommandContext() context: CommandContext,
  ): Promise<WebhookEndpointDto> {
    return this.commands.execute(new SetWebhookEndpointState({ id, to: 'disabled', context }));
  }

  /** Enables an endpoint: missed messages are sent, oldest first. */
  @PostOk(':id/enable')
  @Refuses('WEBHOOK_ENDPOINT_NOT_FOUND')
  @ApiCommandHeaders()
  enable(
    @Param('id') id: string,
    @Body() _body: EmptyBody,
    @CommandContext() context: CommandContext,
  ): Promise<WebhookEndpointDto> {
    return this.commands.execute(new SetWebhookEndpointState({ id, to: 'enabled', context }));
  }

  /** A new secret, shown in this answer and never again; the former ones stay valid for a while. */
  @PostOk(':id/rotate-secret')
  @Refuses('SECRET_SHOWN_ALREADY', 'TOO_MANY_WEBHOOK_SECRETS', 'WEBHOOK_ENDPOINT_NOT_FOUND')
  @ApiSecretRotationHeaders()
  rotateSecret(
    @Param('id') id: string,
    @Body() body: RotateWebhookSecretBody,
    @CommandContextShowingSecret() context: CommandContext,
  ): Promise<WebhookSecretDto> {
    return this.commands.execute(new RotateWebhookSecret({ id, body, context }));
  }

  /** Has a sample of a type sent to an endpoint, whether or not it takes the type (rules/webhooks 7). */
  @PostOk(':id/test')
  @Refuses('WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_ENDPOINT_NOT_FOUND')
  @ApiCommandHeaders()
  test(
    @Param('id') id: string,
    @Body() body: TestWebhookBody,
    @CommandContext() context: CommandContext,
  ): Promise<WebhookEndpointDto> {
    return this.commands.execute(
      new RequestTestMessage({ id, eventType: body.eventType, context }),
    );
  }

  /** Has messages sent again: one, those of a time, or all that failed (rules/webhooks 13). */
  @PostOk(':id/resend')
  @Refuses(
    'webhook_endpoint/player_erased',
    'WEBHOOK_ENDPOINT_DISABLED',
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    'WEBHOOK_MESSAGE_NOT_FOUND',
  )
  @ApiCommandHeaders()
  resend(
    @Param('id') id: string,
    @Body() body: ResendWebhooksBody,
    @CommandContext() context: CommandContext,
  ): Promise<RequestedResendDto> {
    return this.commands.execute(new RequestResend({ id, body, context }));
  }

  /** Deletes an endpoint; its undelivered messages are dropped. One that was deleted before is 204 again. */
  @Delete(':id')
  @Refuses('WEBHOOK_ENDPOINT_NOT_FOUND')
  @HttpCode(204)
  @ApiCommandHeaders()
  delete(@Param('id') id: string, @CommandContext() context: CommandContext): Promise<void> {
    return this.commands.execute(new DeleteWebhookEndpoint({ id, context }));
  }
}
