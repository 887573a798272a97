import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DEFAULT_SEGMENT } from '#domain/app';
import { type CreatedPlan, isAvailable } from '#domain/plan';
import {
  answer,
  APP_DIRECTORY,
  type AppCaller,
  CommandContexts,
  notFound,
  printed,
  queryWith,
} from '#nest';
import { isCode } from '#nest/dto';
import type { ReadModels } from '#projection-engine';
import type { Document } from '#projection-engine/define';
import { plans } from '#projections';
import { printPlan, renderPlan } from '#representations';
import type { AppDirectory } from '#tenancy';
import { printingOnce } from '../../http/printing-once.js';
import { READ_MODELS } from '../../tokens.js';
import type { PlanDto, PlanListDto, PlanListQuery } from '../plan.dto.js';

/** One plan of an app by its id. */
export class GetPlan extends queryWith<{ appId: string; id: string }, PlanDto>() {}

@QueryHandler(GetPlan)
export class GetPlanHandler implements IQueryHandler<GetPlan> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ appId, id }: GetPlan): Promise<PlanDto> {
    const found = await this.readModels.ask(plans).byId(id);
    if (found?.state.appId !== appId) throw notFound('plan', id);
    return answer(renderPlan(found.state), { revision: found.revision });
  }
}

/** One plan of an app by its code, which is unique within its segment (rules/api 17). */
export class GetPlanByCode extends Query<PlanDto> {
  constructor(
    readonly appId: string,
    readonly code: string,
    readonly segmentId: string = DEFAULT_SEGMENT,
  ) {
    super();
  }
}

@QueryHandler(GetPlanByCode)
export class GetPlanByCodeHandler implements IQueryHandler<GetPlanByCode> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ appId, code, segmentId }: GetPlanByCode): Promise<PlanDto> {
    // The code is part of an address, which nothing has checked.
    if (!isCode(code)) throw notFound('plan', code, 'code');
    const found = await this.readModels.ask(plans).byCode(appId, segmentId, code);
    if (found?.state.appId !== appId) throw notFound('plan', code, 'code');
    return answer(renderPlan(found.state), { revision: found.revision });
  }
}

/** The list has no pages (rules/api 17): this bounds one answer. */
const MAX_LISTED_PLANS = 1000;

/** The plans that are for sale now, or all of one status. */
export class ListPlans extends queryWith<
  { caller: AppCaller; filters: PlanListQuery },
  PlanListDto
>() {}

@QueryHandler(ListPlans)
export class ListPlansHandler implements IQueryHandler<ListPlans> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    private readonly contexts: CommandContexts,
  ) {}

  async execute({ caller, filters }: ListPlans): Promise<PlanListDto> {
    const app = await this.contexts.requireApp(caller.appId);
    const { segmentId, status } = filters;
    const { documents } = await this.readModels.ask(plans).list(app.appId, {
      status: status ?? 'active',
      ...{ segmentId, limit: MAX_LISTED_PLANS },
    });
    const now = await this.apps.now(app);
    const isShown = ({ state }: Document<CreatedPlan>) =>
      status !== undefined || isAvailable(state, now);
    // Mostly it is all of them, whose list is remembered.
    const shown = documents.every(isShown) ? documents : documents.filter(isShown);
    return printed(`{"plans":[${printPlans(shown)}]}`);
  }
}

const printPlans = printingOnce(({ state }: Document<CreatedPlan>) => printPlan(state));
