import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { type AppCaller, Caller } from '#nest';
import { AnswersWith, Refuses } from '#openapi';
import { Allow } from '../auth/allow.decorator.js';
import { ConsistentRead } from '../http/consistency.guard.js';
import { PlanDto, PlanListDto, PlanListQuery, SegmentQuery } from './plan.dto.js';
import {
  GetPlan,
  GetPlanByCode,
  GetPlanByCodeHandler,
  GetPlanHandler,
  ListPlans,
  ListPlansHandler,
} from './queries/read-plans.js';

/** The use cases behind the endpoints; the module provides them. */
export const PLAN_HANDLERS = [GetPlanByCodeHandler, GetPlanHandler, ListPlansHandler];

@ApiTags('plans')
@Allow('player', 'app', 'apiKey')
@Controller('sdk/plans')
export class PlansController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists plans (rules/api 17): those that are for sale now, or all of one status. */
  @Get()
  @ConsistentRead('app')
  list(@Caller() caller: AppCaller, @Query() query: PlanListQuery): Promise<PlanListDto> {
    return this.queries.execute(new ListPlans({ caller, filters: query }));
  }

  /** One plan by its code (rules/api 17), unique within its segment. */
  @Get('code/:code')
  @Refuses('PLAN_NOT_FOUND')
  @ConsistentRead('app')
  @AnswersWith('ETag')
  byCode(
    @Caller() { appId }: AppCaller,
    @Param('code') code: string,
    @Query() { segmentId }: SegmentQuery,
  ): Promise<PlanDto> {
    return this.queries.execute(new GetPlanByCode(appId, code, segmentId));
  }

  /** One plan by its id. */
  @Get(':id')
  @Refuses('PLAN_NOT_FOUND')
  @ConsistentRead('id')
  @AnswersWith('ETag')
  byId(@Caller() { appId }: AppCaller, @Param('id') id: string): Promise<PlanDto> {
    return this.queries.execute(new GetPlan({ appId, id }));
  }
}
