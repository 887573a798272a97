import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { paymentAggregate } from '#domain/payment';
import { type AppCaller, Ledger, notFound, printed, queryWith } from '#nest';
import { assertDefect } from '#platform';
import type { ReadModels } from '#projection-engine';
import { payments } from '#projections';
import { printExplainedPayment } from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA, READ_MODELS } from '../../tokens.js';
import type { ExplainedPaymentDto } from '../payment.dto.js';

/**
 * One payment of the caller's app, with its lines. The read model has its existence and status; its lines are in the
 * store as of the same event, since a page of payments does not hold them, and the first period is dated by its
 * capture.
 */
export class GetPayment extends queryWith<
  { id: string; caller: AppCaller },
  ExplainedPaymentDto
>() {}

@QueryHandler(GetPayment)
export class GetPaymentHandler implements IQueryHandler<GetPayment> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    private readonly ledger: Ledger,
  ) {}

  async execute({ id, caller }: GetPayment): Promise<ExplainedPaymentDto> {
    const found = await this.readModels.ask(payments).byId(id);
    if (found?.state.appId !== caller.appId) throw notFound('payment', id);
    const { state: payment } = await this.ledger.load(paymentAggregate, id, {
      toRevision: found.revision,
    });
    assertDefect(payment.status !== 'none', 'a payment in the read model that the store has not');
    const names = await this.personalData.names(payment);
    const json = printExplainedPayment(found.state, names, payment.lines);
    return printed(json, { revision: found.revision });
  }
}
