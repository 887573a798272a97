import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readBucket } from '#domain/ids';
import { taxRatesAggregate } from '#domain/pricing';
import { quoteRegion, subscriptionAggregate } from '#domain/subscription';
import { answer, type CommandContext, commandWith, Ledger, notFound, rejected } from '#nest';
import { renderLine } from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../tokens.js';
import type { ChangeRegionBody, NextChargeDto, SubscriptionDto } from '../subscription.dto.js';
import { answerSubscription, inScope } from './subscription-changes.js';

/** Sets the region of a subscription's player from the next charge on (rules/lifecycle 13). */
export class ChangeRegion extends commandWith<
  { id: string; body: ChangeRegionBody; context: CommandContext },
  SubscriptionDto | NextChargeDto
>() {}

@CommandHandler(ChangeRegion)
export class ChangeRegionHandler implements ICommandHandler<ChangeRegion> {
  constructor(
    private readonly ledger: Ledger,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ id, body, context }: ChangeRegion): Promise<SubscriptionDto | NextChargeDto> {
    const { regionCode, preview } = body;
    if (preview === true) return this.preview(id, regionCode, context);
    const command = { kind: 'ChangeRegion', regionCode, now: context.now } as const;
    return answerSubscription(
      await this.ledger.execute(subscriptionAggregate, id, command, context, inScope(context)),
      this.personalData,
    );
  }

  /** Its ETag names the revision: a command with that as If-Match has the previewed result. */
  private async preview(
    id: string,
    regionCode: string,
    { appId, now }: CommandContext,
  ): Promise<NextChargeDto> {
    const { state, revision, position } = await this.ledger.load(subscriptionAggregate, id);
    if (state.status === 'none' || state.appId !== appId) throw notFound('subscription', id);
    const { state: taxRates } = await this.ledger.load(taxRatesAggregate, appId);
    const quoted = quoteRegion(state, { regionCode, taxRates, now });
    if (!quoted.accepted) throw rejected(quoted.rejection);
    const { dueAt, amount, lines } = quoted.next;
    const { currency, amountMinor } = amount;
    const body = { effectiveAt: dueAt, currency, amountCents: amountMinor };
    const notes = { revision, position, bucket: readBucket(id) };
    return answer({ ...body, lines: lines.map(renderLine) }, notes);
  }
}
