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
import { DEFAULT_SEGMENT } from '#domain/app';
import { type Plan, planAggregate, type PlanCommand, type PlanStatus } from '#domain/plan';
import { CommandContexts, invalidFields, notFound, setCommandHeaders, setRevision } from '#nest';
import { assertDefect } from '#platform';
import type { ReadModels } from '#projection-engine';
import { renderPlan } from '#representations';
import { ApiCommandHeaders, ApiCreationHeaders, Callers } from '../auth/callers.decorator.js';
import { RunCommand } from '../commands/run-command.js';
import { ConsistentRead } from '../http/consistency.guard.js';
import { EmptyBody } from '../http/empty-body.dto.js';
import type { PageTokens } from '../http/page-token.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { PlanDto } from '../plans/plan.dto.js';
import { PAGE_TOKENS, READ_MODELS } from '../tokens.js';
import { PlanCreation } from './plan-creation.js';
import {
  CreatePlanBody,
  ManagedPlanListDto,
  ManagedPlanListQuery,
  RevisePlanBody,
} from './plan-body.dto.js';
import { planChanges } from './plan-terms.js';

@ApiTags('management: plans')
@Callers('operator')
@Controller('manage/apps/:appId/plans')
export class ManagedPlansController {
  constructor(
    private readonly bus: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly creation: PlanCreation,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  /** Creates a plan; its code is taken from then on (rules/api 17). */
  @Post()
  @HttpCode(200)
  @ApiCreationHeaders('ETag')
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Body() body: CreatePlanBody,
  ): Promise<PlanDto> {
    const segmentId = body.segmentId ?? DEFAULT_SEGMENT;
    if (!(await this.contexts.hasSegment(appId, segmentId))) {
      throw invalidFields([{ field: 'segmentId', description: 'is no segment of the app' }]);
    }
    const keyed = await this.contexts.withIdempotency(request, appId);
    const created = await this.creation.create(appId, segmentId, body, keyed, reply);
    setCommandHeaders(reply, { ...created, replayed: false });
    return renderPlan(created.state);
  }

  /** Lists the plans of an app, whatever their status. */
  @Get()
  @ConsistentRead()
  async list(
    @Param('appId') appId: string,
    @Query() query: ManagedPlanListQuery,
  ): Promise<ManagedPlanListDto> {
    await this.contexts.appOf(appId);
    const list = JSON.stringify(['plans', appId, query.segmentId]);
    const after = this.pageTokens.read(list, query.pageToken);
    const { documents, nextAfter } = await this.readModels.plans(appId, {
      limit: query.limit,
      ...(query.segmentId !== undefined && { segmentId: query.segmentId }),
      ...(after !== undefined && { after }),
    });
    return {
      plans: documents.map(({ state }) => renderPlan(state)),
      nextPageToken: this.pageTokens.next(list, nextAfter),
    };
  }

  /** One plan of an app. */
  @Get(':id')
  @AnswersWith('ETag')
  @ConsistentRead()
  async byId(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Param('id') id: string,
  ): Promise<PlanDto> {
    const found = await this.readModels.plan(id);
    if (found === undefined || found.state.appId !== appId) throw notFound('plan', id);
    setRevision(reply, found.revision);
    return renderPlan(found.state);
  }

  /** Changes fields of a plan; running subscriptions keep what they bought. */
  @Patch(':id')
  @ApiCommandHeaders()
  async revise(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Param('id') id: string,
    @Body() body: RevisePlanBody,
  ): Promise<PlanDto> {
    const changes = planChanges(body);
    return this.run(request, reply, { appId, id }, (now) => ({ kind: 'RevisePlan', changes, now }));
  }

  /** Takes a plan out of sale; those who have it keep it. */
  @Post(':id/archive')
  @HttpCode(200)
  @ApiCommandHeaders()
  async archive(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Param('id') id: string,
    @Body() _body: EmptyBody,
  ): Promise<PlanDto> {
    return this.run(request, reply, { appId, id }, changeStatus('archived'));
  }

  /** Marks a plan as one to move away from; it is not sold any more, and those who have it keep it. */
  @Post(':id/deprecate')
  @HttpCode(200)
  @ApiCommandHeaders()
  async deprecate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Param('id') id: string,
    @Body() _body: EmptyBody,
  ): Promise<PlanDto> {
    return this.run(request, reply, { appId, id }, changeStatus('deprecated'));
  }

  /** Puts a plan on sale again. */
  @Post(':id/activate')
  @HttpCode(200)
  @ApiCommandHeaders()
  async activate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Param('id') id: string,
    @Body() _body: EmptyBody,
  ): Promise<PlanDto> {
    return this.run(request, reply, { appId, id }, changeStatus('active'));
  }

  private async run(
    request: FastifyRequest,
    reply: FastifyReply,
    { appId, id }: { appId: string; id: string },
    commandAt: (now: string) => PlanCommand,
  ): Promise<PlanDto> {
    const context = await this.contexts.withIdempotency(request, appId);
    const result = await this.bus.execute(
      new RunCommand(planAggregate, id, commandAt(context.now), context, {
        what: 'plan',
        mayAct: (plan: Plan) => plan.status !== 'none' && plan.appId === appId,
      }),
    );
    setCommandHeaders(reply, result);
    assertDefect(result.state.status !== 'none', 'a command accepted by no plan');
    return renderPlan(result.state);
  }
}

function changeStatus(to: PlanStatus) {
  return (now: string): PlanCommand => ({ kind: 'ChangePlanStatus', to, now });
}
