import { Body, Controller, Get, Param, Patch, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  CommandContext,
  CommandContextShowingSecret,
  CommandSource,
  Operator,
  PostOk,
} from '#nest';
import { Refuses } from '#openapi';
import type { OperatorIdentity } from '#tenancy';
import {
  Allow,
  ApiCommandHeaders,
  ApiSecretCreationHeaders,
  ApiSecretRotationHeaders,
} from '../../auth/allow.decorator.js';
import { ConsistentDirectoryRead, ConsistentRead } from '../../http/consistency.guard.js';
import { PageQuery } from '../../http/page.dto.js';
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
import { AppChecks } from './app-checks.js';
import {
  AddSegment,
  AddSegmentHandler,
  ConfigureApp,
  ConfigureAppHandler,
  RotateIngressSecret,
  RotateIngressSecretHandler,
} from './commands/app-changes.js';
import { CreateApp, CreateAppHandler } from './commands/create-app.js';
import {
  GetApp,
  GetAppHandler,
  ListApps,
  ListAppsHandler,
  ListSegments,
  ListSegmentsHandler,
} from './queries/read-apps.js';

/** The use cases behind the endpoints; the module provides them. */
export const APP_HANDLERS = [
  CreateAppHandler,
  ConfigureAppHandler,
  RotateIngressSecretHandler,
  AddSegmentHandler,
  GetAppHandler,
  ListAppsHandler,
  ListSegmentsHandler,
];

@ApiTags('management: apps')
@Allow('operator')
@Controller('manage/apps')
export class AppsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Creates an app; its secrets are shown in this answer and never again. */
  @PostOk()
  @Refuses('SECRET_SHOWN_ALREADY')
  @ApiSecretCreationHeaders()
  create(
    @Body() body: CreateAppBody,
    @CommandSource() source: CommandSource,
  ): Promise<CreatedAppDto> {
    return this.commands.execute(new CreateApp({ app: body, source }));
  }

  /** Lists the apps that the operator is for. */
  @Get()
  @Refuses('LIST_ORDER_CHANGED')
  @ConsistentRead('all')
  list(@Operator() operator: OperatorIdentity, @Query() query: PageQuery): Promise<AppListDto> {
    return this.queries.execute(new ListApps({ operator, page: query }));
  }

  /** One app, without its secrets. */
  @Get(':appId')
  @ConsistentDirectoryRead()
  byId(@Param('appId') appId: string): Promise<AppDto> {
    return this.queries.execute(new GetApp({ appId }));
  }

  /** Renames an app, or sets how it recovers failed renewals, who may call it, its gateway, its catalog and its witnessing. */
  @Patch(':appId')
  @Refuses('SCOPE_NOT_SUFFICIENT')
  @ApiCommandHeaders()
  @UseInterceptors(AppChecks)
  update(
    @Body() body: UpdateAppBody,
    @Operator() operator: OperatorIdentity,
    @CommandContext() context: CommandContext,
  ): Promise<AppDto> {
    return this.commands.execute(new ConfigureApp({ changes: body, operator, context }));
  }

  /** A new ingress secret; the old one stays valid for a while (rules/api 11). */
  @PostOk(':appId/ingress-secrets')
  @Refuses('SECRET_SHOWN_ALREADY', 'TOO_MANY_INGRESS_SECRETS')
  @ApiSecretRotationHeaders()
  rotateIngressSecret(
    @Body() body: RotateIngressSecretBody,
    @CommandContextShowingSecret() context: CommandContext,
  ): Promise<IngressSecretDto> {
    return this.commands.execute(
      new RotateIngressSecret({ expireOldAfterSeconds: body.expireOldAfterSeconds, context }),
    );
  }

  /** Adds a segment: plan codes are unique within one. */
  @PostOk(':appId/segments')
  @Refuses('SEGMENT_EXISTS', 'TOO_MANY_SEGMENTS')
  @ApiCommandHeaders()
  addSegment(
    @Body() body: SegmentDto,
    @CommandContext() context: CommandContext,
  ): Promise<SegmentDto> {
    return this.commands.execute(new AddSegment({ segment: body, context }));
  }

  /** Lists the segments of an app. */
  @Get(':appId/segments')
  @ConsistentDirectoryRead()
  segments(@Param('appId') appId: string, @Query() query: PageQuery): Promise<SegmentListDto> {
    return this.queries.execute(new ListSegments({ appId, page: query }));
  }
}
