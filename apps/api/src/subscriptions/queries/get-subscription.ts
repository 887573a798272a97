import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AppCaller, printed } from '#nest';
import type { ReadModels } from '#projection-engine';
import { renderSubscription } from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA, READ_MODELS } from '../../tokens.js';
import type { SubscriptionDto } from '../subscription.dto.js';
import { findSubscription } from './find-subscription.js';

/** One subscription of the caller's. */
export class GetSubscription extends Query<SubscriptionDto> {
  constructor(
    readonly id: string,
    readonly caller: AppCaller,
  ) {
    super();
  }
}

@QueryHandler(GetSubscription)
export class GetSubscriptionHandler implements IQueryHandler<GetSubscription> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ id, caller }: GetSubscription): Promise<SubscriptionDto> {
    const { state, revision } = await findSubscription(this.readModels, id, caller);
    const { personalData } = this;
    const names = personalData.recallNames(state) ?? (await personalData.names(state));
    return printed(JSON.stringify(renderSubscription(state, names)), { revision });
  }
}
