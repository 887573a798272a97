import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type CreatedPlan, isAvailable } from '#domain/plan';
import { APP_DIRECTORY, type AppCaller, CommandContexts, printed } from '#nest';
import type { ReadModels } from '#projection-engine';
import type { Document } from '#projection-engine/define';
import { plans } from '#projections';
import { printPlan } from '#representations';
import type { AppDirectory } from '#tenancy';
import { printingOnce } from '../../http/printing-once.js';
import { READ_MODELS } from '../../tokens.js';
import type { PlanListDto, PlanListQuery } from '../plan.dto.js';

/** The list has no pages (rules/api 17): this bounds one answer. */
const MAX_LISTED_PLANS = 1000;

/** The plans that are for sale now, or all of one status. */
export class ListPlans extends Query<PlanListDto> {
  constructor(
    readonly caller: AppCaller,
    readonly filters: PlanListQuery,
  ) {
    super();
  }
}

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
      ...(segmentId !== undefined && { segmentId }),
      limit: MAX_LISTED_PLANS,
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
