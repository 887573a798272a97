import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { LinkedChange } from '#domain/checkout-link';
import { readBucket } from '#domain/ids';
import { noPayment, paymentAggregate } from '#domain/payment';
import { taxRatesAggregate } from '#domain/pricing';
import {
  findPayer,
  quoteRefund,
  quoteWithoutPage,
  type ShownChange,
  type StartedSubscription,
  subscriptionAggregate,
  type WantedChange,
} from '#domain/subscription';
import {
  type CommandContext,
  commandWith,
  findPlanError,
  invalidFields,
  Ledger,
  notFound,
  rejected,
} from '#nest';
import { renderLine } from '#representations';
import { Creations } from '../../commands/creations.js';
import { PlayerLinks } from '../../commands/player-links.js';
import type { ChangeLinkDto, CreateChangeLinkBody } from '../change-link.dto.js';
import { changeLinkViolations } from '../change-link-rules.js';
import { ChangeLinks } from './change-links.js';
import { ScheduledChanges } from './scheduled-changes.js';
import { WantedPlans } from './wanted-plans.js';

/** Lets a player change a subscription: by a page, or when the period is over (rules/payments 18). */
export class ChangeSubscription extends commandWith<
  { id: string; body: CreateChangeLinkBody; context: CommandContext },
  ChangeLinkDto
>() {}

@CommandHandler(ChangeSubscription)
export class ChangeSubscriptionHandler implements ICommandHandler<ChangeSubscription> {
  constructor(
    private readonly ledger: Ledger,
    private readonly creations: Creations,
    private readonly changeLinks: ChangeLinks,
    private readonly plans: WantedPlans,
    private readonly scheduled: ScheduledChanges,
    private readonly links: PlayerLinks,
  ) {}

  async execute({ id, body, context }: ChangeSubscription): Promise<ChangeLinkDto> {
    const violations = changeLinkViolations(body, context.environment);
    if (violations.length > 0) throw invalidFields(violations);
    const subscription = await this.load(id, context);
    const earlier = body.preview === true ? undefined : await this.answerBefore(id, context);
    if (earlier !== undefined) return earlier;
    const { wanted, offer } = await this.plans.find(body, subscription, context);
    const quote = await this.quote(subscription, wanted, context);
    // Asking for the present plan drops the change that waits.
    const { planId, player } = subscription;
    const isOther = offer.planId !== planId;
    const refusal = isOther && (await findPlanError(this.ledger, { player, offer }, id));
    if (refusal) throw refusal;
    if (body.preview === true) return preview(quote);
    if (quote.isScheduled) return this.scheduled.schedule(subscription, { wanted, offer }, context);
    await this.links.requireGateway(context.appId);
    const creation = await this.creations.begin('cl', context, readBucket(id));
    const change: LinkedChange = {
      kind: wanted.plan === null ? 'payment_method' : 'plan',
      subscriptionId: id,
      amountMinor: wanted.amountMinor,
      restartsPeriod: wanted.restartsPeriod,
      unusedCredit: wanted.unusedCredit,
    };
    return this.changeLinks.make(creation, subscription, { body, offer, change });
  }

  private async load(id: string, { appId }: CommandContext): Promise<StartedSubscription> {
    const { state } = await this.ledger.load(subscriptionAggregate, id);
    if (state.status === 'none' || state.appId !== appId) throw notFound('subscription', id);
    return state;
  }

  /** The same request may have made a link, or may have set or dropped a change for the period's end. */
  private async answerBefore(
    id: string,
    context: CommandContext,
  ): Promise<ChangeLinkDto | undefined> {
    const repeated = await this.creations.repeated('cl', context, readBucket(id));
    if (repeated !== undefined) return this.changeLinks.findMade(repeated);
    return this.scheduled.answerBefore(id, context);
  }

  private async quote(
    subscription: StartedSubscription,
    wanted: WantedChange,
    { appId, now }: CommandContext,
  ): Promise<ShownChange> {
    const { state: taxRates } = await this.ledger.load(taxRatesAggregate, appId);
    const quoted = quoteWithoutPage(subscription, wanted, { taxRates, now });
    const payer = findPayer(quoted, subscription);
    const { state: payment } =
      payer === null ? { state: noPayment } : await this.ledger.load(paymentAggregate, payer);
    const shown = quoteRefund(quoted, payment);
    if (!shown.accepted) throw rejected(shown.rejection);
    return shown.quote;
  }
}

function preview({ lines, amount, refund, effectiveAt }: ShownChange): ChangeLinkDto {
  return {
    lines: lines.map(renderLine),
    amountCents: amount.amountMinor,
    ...(refund !== null && { refundAmountCents: refund.amountMinor }),
    effectiveAt,
  };
}
