import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DEFAULT_SEGMENT } from '#domain/app';
import { answer, notFound } from '#nest';
import { isCode } from '#nest/dto';
import type { ReadModels } from '#projection-engine';
import { plans } from '#projections';
import { renderPlan } from '#representations';
import { READ_MODELS } from '../../tokens.js';
import type { PlanDto } from '../plan.dto.js';

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
