import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { answer, notFound } from '#nest';
import type { ReadModels } from '#projection-engine';
import { plans } from '#projections';
import { renderPlan } from '#representations';
import { READ_MODELS } from '../../tokens.js';
import type { PlanDto } from '../plan.dto.js';

/** One plan of an app by its id. */
export class GetPlan extends Query<PlanDto> {
  constructor(
    readonly appId: string,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(GetPlan)
export class GetPlanHandler implements IQueryHandler<GetPlan> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ appId, id }: GetPlan): Promise<PlanDto> {
    const found = await this.readModels.ask(plans).byId(id);
    if (found?.state.appId !== appId) throw notFound('plan', id);
    return answer(renderPlan(found.state), { revision: found.revision });
  }
}
