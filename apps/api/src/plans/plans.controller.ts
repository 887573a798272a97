import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_SEGMENT } from '#domain/app';
import { type CreatedPlan, isAvailable } from '#domain/plan';
import { APP_DIRECTORY, appCallerOf, CommandContexts, notFound, setRevision } from '#nest';
import type { Document, ReadModels } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import { renderPlan } from '#representations';
import { Callers } from '../auth/callers.decorator.js';
import { ConsistentRead } from '../http/consistency.guard.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { READ_MODELS } from '../tokens.js';
import { PlanDto, PlanListDto, PlanListQuery, SegmentQuery } from './plan.dto.js';

/** The list of plans has no pages (rules/api 17): this bounds what one answer holds. */
const MAX_LISTED_PLANS = 1000;

@ApiTags('plans')
@ConsistentRead()
@Callers('player', 'app', 'apiKey')
@Controller('sdk/plans')
export class PlansController {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    private readonly contexts: CommandContexts,
  ) {}

  /** Lists plans (rules/api 17): those that are for sale now, or all of one status. */
  @Get()
  async list(@Req() request: FastifyRequest, @Query() query: PlanListQuery): Promise<PlanListDto> {
    const app = await this.contexts.appOf(appCallerOf(request).appId);
    const { documents } = await this.readModels.plans(app.appId, {
      status: query.status ?? 'active',
      ...(query.segmentId !== undefined && { segmentId: query.segmentId }),
      limit: MAX_LISTED_PLANS,
    });
    const now = this.apps.now(app);
    const listed = documents.filter(
      ({ state }) => query.status !== undefined || isAvailable(state, now),
    );
    return { plans: listed.map(({ state }) => renderPlan(state)) };
  }

  /** One plan by its code (rules/api 17), unique within its segment. */
  @Get('code/:code')
  @AnswersWith('ETag')
  async byCode(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('code') code: string,
    @Query() query: SegmentQuery,
  ): Promise<PlanDto> {
    const { appId } = appCallerOf(request);
    const segmentId = query.segmentId ?? DEFAULT_SEGMENT;
    const found = await this.readModels.planByCode(appId, segmentId, code);
    return answer(found, appId, { code }, reply);
  }

  /** One plan by its id. */
  @Get(':id')
  @AnswersWith('ETag')
  async byId(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<PlanDto> {
    const { appId } = appCallerOf(request);
    return answer(await this.readModels.plan(id), appId, { id }, reply);
  }
}

function answer(
  found: Document<CreatedPlan> | undefined,
  appId: string,
  { id = '', code }: { id?: string; code?: string },
  reply: FastifyReply,
): PlanDto {
  if (found === undefined || found.state.appId !== appId) {
    throw code === undefined ? notFound('plan', id) : notFound('plan', code, 'code');
  }
  setRevision(reply, found.revision);
  return renderPlan(found.state);
}
