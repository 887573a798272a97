import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, appAggregate, type AppCommand, type CreatedApp } from '#domain/app';
import { addMilliseconds } from '#domain/calendar';
import { type Accepted, type CommandContext } from '#event-store';
import { APP_DIRECTORY, CLOCK, CommandContexts, operatorOf, setCommandHeaders } from '#nest';
import { assertDefect, type Clock, newId } from '#platform';
import { type AppDirectory, type AppSecrets, isForApp } from '#tenancy';
import { ApiCommandHeaders, Callers } from '../auth/callers.decorator.js';
import { RunCommand } from '../commands/run-command.js';
import { ConsistentDirectoryRead } from '../http/consistency.guard.js';
import { pageOf } from '../http/page.js';
import { PageQuery } from '../http/page.dto.js';
import type { PageTokens } from '../http/page-token.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { APP_SECRETS, PAGE_TOKENS } from '../tokens.js';
import {
  AppDto,
  AppListDto,
  CreateAppBody,
  CreatedAppDto,
  IngressSecretDto,
  RotateIngressSecretBody,
  SegmentDto,
  SegmentListDto,
  UpdateAppBody,
} from './app.dto.js';

@ApiTags('management: apps')
@Callers('operator')
@Controller('manage/apps')
export class AppsController {
  constructor(
    private readonly bus: CommandBus,
    private readonly contexts: CommandContexts,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Creates an app; its secrets are shown in this answer and never again. */
  @Post()
  @HttpCode(200)
  @AnswersWith('ETag', 'x-consistency-token')
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { name, environment }: CreateAppBody,
  ): Promise<CreatedAppDto> {
    const now = this.clock.now();
    const appId = newId('app', now);
    const { sealed, shown } = await this.secrets.createFor(appId);
    const actor = `operator:${operatorOf(request).name}`;
    await this.run(
      reply,
      appId,
      { kind: 'CreateApp', app: { appId, name, environment, createdAt: now, ...sealed } },
      { appId, environment, actor, correlationId: request.id, now },
    );
    return { appId, name, environment, ...shown };
  }

  /** Lists the apps that the operator is for. */
  @Get()
  @ConsistentDirectoryRead()
  list(@Req() request: FastifyRequest, @Query() query: PageQuery): AppListDto {
    const operator = operatorOf(request);
    const apps = this.apps.all().filter(({ appId }) => isForApp(operator, appId));
    const list = JSON.stringify(['apps', operator.apps]);
    const { items, nextPageToken } = pageOf(
      apps,
      ({ appId }) => appId,
      query,
      list,
      this.pageTokens,
    );
    return { apps: items.map(renderApp), nextPageToken };
  }

  /** One app, without its secrets. */
  @Get(':appId')
  @ConsistentDirectoryRead()
  async byId(@Param('appId') appId: string): Promise<AppDto> {
    return renderApp(await this.contexts.appOf(appId));
  }

  /** Renames an app, or sets how it recovers failed renewals and which pages may call it. */
  @Patch(':appId')
  @ApiCommandHeaders()
  async update(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Body() { name, dunning, allowedOrigins }: UpdateAppBody,
  ): Promise<AppDto> {
    const retries = [...new Set(dunning?.retryAfterHours)].sort((a, b) => a - b);
    const { state } = await this.run(
      reply,
      appId,
      {
        kind: 'ConfigureApp',
        name,
        dunning: dunning && { graceHours: dunning.graceHours, retryAfterHours: retries },
        allowedOrigins: allowedOrigins && [...new Set(allowedOrigins)],
      },
      await this.contexts.withIdempotency(request, appId),
    );
    return renderApp(created(state));
  }

  /** A new ingress secret; the old one stays valid for a while (rules/api 11). */
  @Post(':appId/ingress-secrets')
  @HttpCode(200)
  @AnswersWith('ETag', 'x-consistency-token')
  async rotateIngressSecret(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Body() { expireOldAfterSeconds }: RotateIngressSecretBody,
  ): Promise<IngressSecretDto> {
    const { shown, sealed } = this.secrets.create(appId, 'ingress secret');
    const oldExpiresAt = addMilliseconds(this.clock.now(), expireOldAfterSeconds * 1000);
    const secret = { sealedIngressSecret: sealed, oldExpiresAt };
    const context = await this.contexts.withoutIdempotency(request, appId);
    await this.run(reply, appId, { kind: 'RotateIngressSecret', secret }, context);
    return { ingressSecret: shown };
  }

  /** Adds a segment: plan codes are unique within one. */
  @Post(':appId/segments')
  @HttpCode(200)
  @ApiCommandHeaders()
  async addSegment(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Body() { segmentId, name }: SegmentDto,
  ): Promise<SegmentDto> {
    const context = await this.contexts.withIdempotency(request, appId);
    await this.run(reply, appId, { kind: 'AddSegment', segmentId, name }, context);
    return { segmentId, name };
  }

  /** Lists the segments of an app. */
  @Get(':appId/segments')
  @ConsistentDirectoryRead()
  async segments(
    @Param('appId') appId: string,
    @Query() query: PageQuery,
  ): Promise<SegmentListDto> {
    const { segments } = await this.contexts.appOf(appId);
    const sorted = [...segments].sort((a, b) => (a.segmentId < b.segmentId ? -1 : 1));
    const list = JSON.stringify(['segments', appId]);
    const byId = ({ segmentId }: SegmentDto) => segmentId;
    const { items, nextPageToken } = pageOf(sorted, byId, query, list, this.pageTokens);
    return { segments: items, nextPageToken };
  }

  private async run(
    reply: FastifyReply,
    appId: string,
    command: AppCommand,
    context: CommandContext,
  ): Promise<Accepted<App, unknown>> {
    const run = new RunCommand(appAggregate, appId, command, context, { what: 'app' });
    const result = await this.bus.execute(run);
    setCommandHeaders(reply, result);
    if (result.position !== null) await this.apps.waitFor(result.position, FOLLOW_LIMIT_MS);
    return result;
  }
}

/** An answer waits for this process's own memory, so that the next request finds what was changed. */
const FOLLOW_LIMIT_MS = 5000;

function created(state: App): CreatedApp {
  assertDefect(state.status === 'created', 'a command accepted by no app');
  return state;
}

function renderApp(app: CreatedApp): AppDto {
  const { appId, name, environment, segments, dunning, allowedOrigins, createdAt } = app;
  return {
    appId,
    name,
    environment,
    segments: [...segments],
    dunning: { graceHours: dunning.graceHours, retryAfterHours: [...dunning.retryAfterHours] },
    allowedOrigins: [...allowedOrigins],
    createdAt,
  };
}
