import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ItemMatch } from '#domain/bookkeeping';
import { financeAggregate } from '#domain/finance';
import { FurtherChecks, Ledger, rejected, type WellFormed } from '#nest';
import type { ItemMatchDto, SetFinancePolicyBody } from './finance.dto.js';

/** The ledger's own errors of a policy, beside its bad fields (rules/api 12). */
@Injectable()
export class PolicyChecks extends FurtherChecks<SetFinancePolicyBody> {
  constructor(private readonly ledger: Ledger) {
    super();
  }

  protected async check(
    body: WellFormed<SetFinancePolicyBody>,
    { params }: FastifyRequest,
  ): Promise<void> {
    // The route names the app.
    const { appId } = params as { readonly appId: string };
    const { state } = await this.ledger.load(financeAggregate, appId);
    const decision = financeAggregate.decider.decide(toPolicyCommand(body), state);
    if (!decision.accepted) throw rejected(decision.rejection);
  }
}

/** The command of a policy. Fields that are bad, and were left out, are refused already. */
export function toPolicyCommand(body: WellFormed<SetFinancePolicyBody>) {
  const { from = '', zone = 'UTC', itemClasses = [], approval = false, reason = '' } = body;
  return {
    kind: 'SetPolicy' as const,
    ...{ from, zone, approval, reason },
    itemClasses: itemClasses.map(({ name = '', match = {}, lifeDays = null }) => ({
      ...{ name, match: toMatch(match), lifeDays },
    })),
  };
}

/** The ledger refuses a match by several things, or by none. */
function toMatch({ id, prefix, metadata }: WellFormed<ItemMatchDto>): ItemMatch {
  const { key = '', value = '' } = metadata ?? {};
  return {
    ...(id !== undefined && { id }),
    ...(prefix !== undefined && { prefix }),
    ...(metadata !== undefined && { metadata: { key, value } }),
  } as ItemMatch;
}
