import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AppCaller, notFound, printed } from '#nest';
import type { ReadModels } from '#projection-engine';
import { orders } from '#projections';
import { renderOrder } from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA, READ_MODELS } from '../../tokens.js';
import type { OrderDto } from '../order.dto.js';

/** One order of the caller's app. */
export class GetOrder extends Query<OrderDto> {
  constructor(
    readonly id: string,
    readonly caller: AppCaller,
  ) {
    super();
  }
}

@QueryHandler(GetOrder)
export class GetOrderHandler implements IQueryHandler<GetOrder> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ id, caller }: GetOrder): Promise<OrderDto> {
    const found = await this.readModels.ask(orders).byId(id);
    if (found?.state.appId !== caller.appId) throw notFound('order', id);
    const { state, revision } = found;
    const order = renderOrder(state, await this.personalData.open(state));
    return printed(JSON.stringify(order), { revision });
  }
}
