import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CreatedApp } from '#domain/app';
import {
  type WebhookEndpoint,
  webhookEndpointAggregate,
  type WebhookEndpointCommand,
} from '#domain/webhook-endpoint';
import { checkTarget } from '#egress';
import type { CommandContext } from '#event-store';
import {
  APP_DIRECTORY,
  CommandContexts,
  cut,
  type FieldViolation,
  invalidFields,
  notFound,
  setCommandHeaders,
} from '#nest';
import { newId } from '#platform';
import type { AppDirectory, AppSecrets, RunningEndpoint } from '#tenancy';
import { SELECTORS, showSecret } from '#webhooks';
import { Callers } from '../auth/callers.decorator.js';
import { RunCommand } from '../commands/run-command.js';
import type { ApiConfig } from '../config.js';
import { ConsistentDirectoryRead } from '../http/consistency.guard.js';
import { pageOf } from '../http/page.js';
import { PageQuery } from '../http/page.dto.js';
import type { PageTokens } from '../http/page-token.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { APP_SECRETS, CONFIG, PAGE_TOKENS } from '../tokens.js';
import {
  CreatedWebhookEndpointDto,
  CreateWebhookEndpointBody,
  WebhookEndpointDto,
  WebhookEndpointListDto,
} from './webhook-endpoint.dto.js';

/** Every event becomes a delivery for each endpoint: more than this many is a misuse. */
const MAX_ENDPOINTS = 32;
/** An answer waits for this process's own memory, so that the next request finds what was changed. */
const FOLLOW_LIMIT_MS = 5000;

@ApiTags('management: webhook endpoints')
@Callers('operator')
@Controller('manage/apps/:appId/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly bus: CommandBus,
    private readonly contexts: CommandContexts,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
    @Inject(CONFIG) private readonly config: ApiConfig,
  ) {}

  /** Creates an endpoint; its secret is shown in this answer and never again (rules/webhooks 4). */
  @Post()
  @HttpCode(200)
  @AnswersWith('ETag', 'x-consistency-token')
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Body() body: CreateWebhookEndpointBody,
  ): Promise<CreatedWebhookEndpointDto> {
    this.requireAllowed(await this.contexts.appOf(appId), body);
    const context = await this.contexts.withoutIdempotency(request, appId);
    const secret = this.secrets.create(appId, 'webhook secret');
    const endpointId = newId('whe', context.now);
    const endpoint = {
      endpointId,
      appId,
      url: body.url,
      eventTypes: body.eventTypes,
      accept: body.accept,
      sealedSecret: secret.sealed,
      createdAt: context.now,
    };
    await this.run(reply, endpointId, { kind: 'CreateWebhookEndpoint', endpoint }, context);
    const { sealedSecret: _sealed, ...shown } = endpoint;
    return { ...renderEndpoint({ ...shown, status: 'enabled' }), secret: showSecret(secret.shown) };
  }

  /** Lists the endpoints of an app. */
  @Get()
  @ConsistentDirectoryRead()
  async list(
    @Param('appId') appId: string,
    @Query() query: PageQuery,
  ): Promise<WebhookEndpointListDto> {
    await this.contexts.appOf(appId);
    const list = JSON.stringify(['webhook-endpoints', appId]);
    const endpoints = this.apps.listEndpoints(appId);
    const byId = ({ endpointId }: RunningEndpoint) => endpointId;
    const { items, nextPageToken } = pageOf(endpoints, byId, query, list, this.pageTokens);
    return { webhookEndpoints: items.map(renderEndpoint), nextPageToken };
  }

  /** One endpoint, without its secret. */
  @Get(':id')
  @ConsistentDirectoryRead()
  byId(@Param('appId') appId: string, @Param('id') id: string): WebhookEndpointDto {
    const endpoint = this.apps.endpoint(id);
    if (endpoint?.appId !== appId) throw notFound('webhook endpoint', id);
    return renderEndpoint(endpoint);
  }

  /** Deletes an endpoint; what it has not received yet is dropped. */
  @Delete(':id')
  @HttpCode(204)
  @AnswersWith('ETag', 'x-consistency-token')
  async delete(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Param('id') id: string,
  ): Promise<void> {
    const context = await this.contexts.withoutIdempotency(request, appId);
    const command = { kind: 'DeleteWebhookEndpoint', now: context.now } as const;
    const mayAct = (state: WebhookEndpoint) => state.status === 'enabled' && state.appId === appId;
    await this.run(reply, id, command, context, mayAct);
  }

  private requireAllowed(app: CreatedApp, body: CreateWebhookEndpointBody): void {
    const violations: FieldViolation[] = [];
    const allowInsecure =
      app.environment === 'test' && this.config.allowInsecureTargets === 'test-apps';
    const target = checkTarget(body.url, { allowInsecure });
    if (!target.ok) violations.push({ field: 'url', description: target.reason });
    body.eventTypes.forEach((type, index) => {
      if (SELECTORS.includes(type)) return;
      const description = `${JSON.stringify(cut(type))} is none of metadata.validEventTypes`;
      violations.push({ field: `eventTypes.${index}`, description });
    });
    if (this.apps.listEndpoints(app.appId).length >= MAX_ENDPOINTS) {
      const description = `the app has ${MAX_ENDPOINTS} endpoints already`;
      violations.push({ field: 'url', description });
    }
    if (violations.length === 0) return;
    const isOfTypes = violations.some(({ field }) => field.startsWith('eventTypes'));
    const metadata = isOfTypes ? { validEventTypes: SELECTORS.join(', ') } : {};
    throw invalidFields(violations, { metadata });
  }

  private async run(
    reply: FastifyReply,
    id: string,
    command: WebhookEndpointCommand,
    context: CommandContext,
    mayAct?: (state: WebhookEndpoint) => boolean,
  ): Promise<void> {
    const options = { what: 'webhook endpoint', ...(mayAct && { mayAct }) };
    const result = await this.bus.execute(
      new RunCommand(webhookEndpointAggregate, id, command, context, options),
    );
    setCommandHeaders(reply, result);
    if (result.position !== null) await this.apps.waitFor(result.position, FOLLOW_LIMIT_MS);
  }
}

function renderEndpoint(endpoint: Omit<RunningEndpoint, 'sealedSecret'>) {
  const { endpointId, url, eventTypes, accept, status, createdAt } = endpoint;
  return { id: endpointId, url, eventTypes: [...eventTypes], accept, state: status, createdAt };
}
