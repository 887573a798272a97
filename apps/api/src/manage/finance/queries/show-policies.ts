import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { financeAggregate } from '#domain/finance';
import { CommandContexts, Ledger, queryWith } from '#nest';
import type { FinancePoliciesDto } from '../finance.dto.js';

type FinanceState = (typeof financeAggregate.decider)['initialState'];

/** The policies of an app, its closed periods and accepted rows (rules/finance 30). */
export class ShowPolicies extends queryWith<{ appId: string }, FinancePoliciesDto>() {}

@QueryHandler(ShowPolicies)
export class ShowPoliciesHandler implements IQueryHandler<ShowPolicies> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly ledger: Ledger,
  ) {}

  async execute({ appId }: ShowPolicies): Promise<FinancePoliciesDto> {
    await this.contexts.requireApp(appId);
    const { state } = await this.ledger.load(financeAggregate, appId);
    return renderFinance(state);
  }
}

/** The acts of finance on an app as callers see them. */
export function renderFinance({
  policies,
  closed,
  request,
  accepted,
}: FinanceState): FinancePoliciesDto {
  return {
    policies: policies.map(({ number, from, zone, itemClasses, approval }) => ({
      ...{ number, from, zone, approval },
      itemClasses: itemClasses.map(({ name, match, lifeDays }) => ({ name, match, lifeDays })),
    })),
    closed: closed.map(({ period, size }) => ({ period, size })),
    request: request && {
      ...{ period: request.period, size: request.size },
      ...{ requestedBy: request.requestedBy, reason: request.reason },
    },
    accepted: Object.entries(accepted).map(([row, reason]) => ({ row, reason })),
  };
}
