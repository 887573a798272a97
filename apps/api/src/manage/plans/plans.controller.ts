import { Body, Controller, Get, Param, Patch, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext, PostOk } from '#nest';
import { AnswersWith, Refuses } from '#openapi';
import { Allow, ApiCommandHeaders, ApiCreationHeaders } from '../../auth/allow.decorator.js';
import { ConsistentRead } from '../../http/consistency.guard.js';
import { EmptyBody } from '../../http/empty-body.dto.js';
import { PlanDto } from '../../plans/plan.dto.js';
import { GetPlan } from '../../plans/queries/read-plans.js';
import {
  ChangePlanStatus,
  ChangePlanStatusHandler,
  RevisePlan,
  RevisePlanHandler,
} from './commands/plan-changes.js';
import { CreatePlan, CreatePlanHandler } from './commands/create-plan.js';
import {
  CreatePlanBody,
  ManagedPlanListDto,
  ManagedPlanListQuery,
  RevisePlanBody,
} from './plan-body.dto.js';
import { ListManagedPlans, ListManagedPlansHandler } from './queries/list-managed-plans.js';
import { NewPlanChecks, PlanChecks } from './plan-rules.js';

/** The use cases behind the endpoints; the module provides them. */
export const MANAGED_PLAN_HANDLERS = [
  CreatePlanHandler,
  RevisePlanHandler,
  ChangePlanStatusHandler,
  ListManagedPlansHandler,
];

@ApiTags('management: plans')
@Allow('operator')
@Controller('manage/apps/:appId/plans')
export class ManagedPlansController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Creates a plan; its code is taken from then on (rules/api 17). */
  @PostOk()
  @Refuses('PLAN_CODE_TAKEN', 'REVISION_MISMATCH')
  @ApiCreationHeaders('ETag')
  @UseInterceptors(NewPlanChecks)
  create(
    @Body() body: CreatePlanBody,
    @CommandContext() context: CommandContext,
  ): Promise<PlanDto> {
    return this.commands.execute(new CreatePlan({ plan: body, context }));
  }

  /** Lists the plans of an app, whatever their status. */
  @Get()
  @Refuses('LIST_ORDER_CHANGED')
  @ConsistentRead('app')
  list(
    @Param('appId') appId: string,
    @Query() query: ManagedPlanListQuery,
  ): Promise<ManagedPlanListDto> {
    return this.queries.execute(new ListManagedPlans({ appId, filters: query }));
  }

  /** One plan of an app. */
  @Get(':id')
  @Refuses('PLAN_NOT_FOUND')
  @AnswersWith('ETag')
  @ConsistentRead('id')
  byId(@Param('appId') appId: string, @Param('id') id: string): Promise<PlanDto> {
    return this.queries.execute(new GetPlan({ appId, id }));
  }

  /** Changes fields of a plan; running subscriptions keep their terms. */
  @Patch(':id')
  @Refuses('INVALID_AVAILABILITY_WINDOW', 'PLAN_NOT_FOUND')
  @ApiCommandHeaders()
  @UseInterceptors(PlanChecks)
  revise(
    @Param('id') id: string,
    @Body() body: RevisePlanBody,
    @CommandContext() context: CommandContext,
  ): Promise<PlanDto> {
    return this.commands.execute(new RevisePlan({ id, changes: body, context }));
  }

  /** Takes a plan out of sale; those who have it keep it. */
  @PostOk(':id/archive')
  @Refuses('PLAN_NOT_FOUND')
  @ApiCommandHeaders()
  archive(
    @Param('id') id: string,
    @Body() _body: EmptyBody,
    @CommandContext() context: CommandContext,
  ): Promise<PlanDto> {
    return this.commands.execute(new ChangePlanStatus({ id, to: 'archived', context }));
  }

  /** Marks a plan as one to move away from; it is not sold any more, and those who have it keep it. */
  @PostOk(':id/deprecate')
  @Refuses('PLAN_NOT_FOUND')
  @ApiCommandHeaders()
  deprecate(
    @Param('id') id: string,
    @Body() _body: EmptyBody,
    @CommandContext() context: CommandContext,
  ): Promise<PlanDto> {
    return this.commands.execute(new ChangePlanStatus({ id, to: 'deprecated', context }));
  }

  /** Puts a plan on sale again. */
  @PostOk(':id/activate')
  @Refuses('PLAN_NOT_FOUND')
  @ApiCommandHeaders()
  activate(
    @Param('id') id: string,
    @Body() _body: EmptyBody,
    @CommandContext() context: CommandContext,
  ): Promise<PlanDto> {
    return this.commands.execute(new ChangePlanStatus({ id, to: 'active', context }));
  }
}
