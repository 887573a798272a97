import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AppCaller, notFound, printed } from '#nest';
import type { ReadModels } from '#projection-engine';
import { payments } from '#projections';
import { printPayment } from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA, READ_MODELS } from '../../tokens.js';
import type { PaymentDto } from '../payment.dto.js';

/** One payment of the caller's app. */
export class GetPayment extends Query<PaymentDto> {
  constructor(
    readonly id: string,
    readonly caller: AppCaller,
  ) {
    super();
  }
}

@QueryHandler(GetPayment)
export class GetPaymentHandler implements IQueryHandler<GetPayment> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ id, caller }: GetPayment): Promise<PaymentDto> {
    const found = await this.readModels.ask(payments).byId(id);
    if (found?.state.appId !== caller.appId) throw notFound('payment', id);
    const accountId = await this.personalData.accountId(found.state);
    return printed(printPayment(found.state, accountId), { revision: found.revision });
  }
}
