import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CommandContexts, queryWith } from '#nest';
import type { ReadModels } from '#projection-engine';
import { plans } from '#projections';
import { renderPlan } from '#representations';
import { identifyDocumentList, type PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS, READ_MODELS } from '../../../tokens.js';
import type { ManagedPlanListDto, ManagedPlanListQuery } from '../plan-body.dto.js';

/** A page of the plans of an app, whatever their status. */
export class ListManagedPlans extends queryWith<
  { appId: string; filters: ManagedPlanListQuery },
  ManagedPlanListDto
>() {}

@QueryHandler(ListManagedPlans)
export class ListManagedPlansHandler implements IQueryHandler<ListManagedPlans> {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ appId, filters }: ListManagedPlans): Promise<ManagedPlanListDto> {
    await this.contexts.requireApp(appId);
    const { segmentId, limit, pageToken } = filters;
    const list = identifyDocumentList(plans, appId, segmentId);
    const after = this.pageTokens.read(list, pageToken);
    const { documents, nextAfter } = await this.readModels.ask(plans).list(appId, {
      ...{ limit, segmentId, after },
    });
    return {
      plans: documents.map(({ state }) => renderPlan(state)),
      nextPageToken: this.pageTokens.next(list, nextAfter),
    };
  }
}
