import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import {
  ANSWER_LIMIT_MS,
  checkoutLinkAggregate,
  type CreatedCheckoutLink,
  findChallenge,
  lastAttempt,
} from '#domain/checkout-link';
import type { Aggregate, AnyRejection } from '#domain/decider';
import type { DomainEvent, Position } from '#domain/event';
import {
  findOrderChallenge,
  lastOrderAttempt,
  orderAggregate,
  type OrderStatus,
} from '#domain/order';
import type { Decline } from '#domain/payment';
import type { PlanRefusal } from '#domain/player-plans';
import { FIRST_STATUS, subscriptionAggregate, type SubscriptionStatus } from '#domain/subscription';
import { Ledger, lookUntil, queryWith, STOPPING } from '#nest';
import { assertDefect } from '#platform';
import type { ChallengeAddresses } from '#tenancy';
import { LinkNews } from '../links/link-news.js';
import type { OpenChallenge } from '../links/payment-forms.js';
import { OrderLinks } from '../order/order-links.js';
import { CHALLENGE_ADDRESSES } from '../tokens.js';

/** The part of a decline that is known without asking the bank again. */
export type AttemptDecline = Pick<Decline, 'reason' | 'declineClass'>;

/** `none` stands for no subscription: a link that is completed has begun one. */
type Purchase =
  | { readonly subscriptionId: string; readonly status: SubscriptionStatus | 'none' }
  | { readonly orderId: string; readonly status: OrderStatus };

/** How an attempt ended as far as the buyer is concerned. */
export type LinkOutcome =
  | (Purchase & { readonly kind: 'completed'; readonly position: Position | null })
  | { readonly kind: 'declined'; readonly decline: AttemptDecline }
  /** The player has the plan already, or has had its trial. */
  | { readonly kind: 'refused'; readonly refusal: PlanRefusal }
  /** The bank wants the player to confirm at this address. */
  | { readonly kind: 'challenge'; readonly url: string }
  | { readonly kind: 'pending' };

/** The outcome of an attempt, asked for by its number; null for an order that costs nothing. */
export class AwaitOutcome extends queryWith<
  {
    linkId: string;
    attempt: number | null;
    /** Whether the player has decided at the bank, so that the next outcome is waited for. */
    isConfirmed?: boolean;
  },
  LinkOutcome
>() {}

interface Seen {
  readonly mayHaveMissedNews: boolean;
  /** Whether there was no outcome a moment ago. */
  readonly hasWaited: boolean;
}

/** Why a bank declined an order is for the studio alone (rules/orders 2). */
const ORDER_DECLINED: LinkOutcome = {
  kind: 'declined',
  decline: { reason: 'card_declined', declineClass: 'hard' },
};

/**
 * Waits for the outcome of an attempt on a link, up to the bound. A decline is that attempt's for good, also when a later
 * one was more fortunate (rules/payments 3).
 */
@QueryHandler(AwaitOutcome)
export class AwaitOutcomeHandler implements IQueryHandler<AwaitOutcome> {
  constructor(
    private readonly ledger: Ledger,
    private readonly news: LinkNews,
    private readonly orders: OrderLinks,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
    @Inject(CHALLENGE_ADDRESSES) private readonly addresses: Pick<ChallengeAddresses, 'open'>,
  ) {}

  async execute(query: AwaitOutcome): Promise<LinkOutcome> {
    const { linkId } = query;
    const isOfOrder = this.orders.leadsToOrder(linkId);
    // An order's own events are the news of its link.
    const subject = isOfOrder ? (await this.orders.findSold(linkId)).orderId : linkId;
    let hasWaited = false;
    const look = async (mayHaveMissedNews: boolean) => {
      const seen = { mayHaveMissedNews, hasWaited };
      hasWaited = true;
      return isOfOrder ? this.lookAtOrder(subject, query, seen) : this.lookAtLink(query, seen);
    };
    const outcome = await lookUntil(look, {
      limitMs: ANSWER_LIMIT_MS,
      stopping: this.stopping,
      onNews: (tell) => this.news.subscribe(subject, tell),
    });
    // The worker goes on with a charge that takes longer, and the page tells its outcome.
    return outcome ?? { kind: 'pending' };
  }

  private async lookAtLink(query: AwaitOutcome, seen: Seen): Promise<LinkOutcome | undefined> {
    const { linkId, attempt } = query;
    const { state: link, position } = await this.read(checkoutLinkAggregate, linkId, seen);
    assertDefect(link.status !== 'none', 'a link that was there before');
    assertDefect(attempt !== null, 'a link of a plan costs something');
    const decline = findDecline(link, attempt);
    if (decline !== null) return { kind: 'declined', decline };
    const { refusal = null } = link.attempts[attempt - 1] ?? {};
    if (refusal !== null) return { kind: 'refused', refusal };
    if (link.status === 'completed') return this.describeCompletion(link, position, seen);
    // A replaced attempt is not to be confirmed any more.
    const isLast = lastAttempt(link)?.attempt === attempt;
    return this.toConfirm(isLast ? findChallenge(link) : undefined, query);
  }

  private async lookAtOrder(
    orderId: string,
    query: AwaitOutcome,
    seen: Seen,
  ): Promise<LinkOutcome | undefined> {
    const { state: order, position } = await this.read(orderAggregate, orderId, seen);
    assertDefect(order.status !== 'none', 'an order that was there before');
    const attempt = order.attempts.find((one) => one.attempt === query.attempt);
    if (attempt?.decline) return ORDER_DECLINED;
    const { status, paidAt, lateCaptures } = order;
    if (paidAt !== null) return { kind: 'completed', orderId, status, position };
    // One that came too late goes back, and one of an order that has ended buys nothing.
    const isLate = attempt !== undefined && lateCaptures.includes(attempt.paymentId);
    if (isLate || status !== 'OPEN') return ORDER_DECLINED;
    const isLast = lastOrderAttempt(order)?.attempt === query.attempt;
    return this.toConfirm(isLast ? findOrderChallenge(order) : undefined, query);
  }

  /** The events of a link, or of an order, go by, and are folded before they are news. */
  private async read<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
    { mayHaveMissedNews }: Seen,
  ) {
    const followed = mayHaveMissedNews ? undefined : this.ledger.recall(aggregate, id);
    return followed ?? this.ledger.load(aggregate, id);
  }

  private toConfirm(
    challenge: OpenChallenge | undefined,
    { isConfirmed = false }: AwaitOutcome,
  ): LinkOutcome | undefined {
    if (challenge === undefined || isConfirmed) return undefined;
    return { kind: 'challenge', url: this.addresses.open(challenge, challenge.sealedUrl) };
  }

  private async describeCompletion(
    link: CreatedCheckoutLink,
    position: Position | null,
    { hasWaited: isCompletedJustNow }: Seen,
  ): Promise<LinkOutcome> {
    const { subscriptionId = '' } = lastAttempt(link) ?? {};
    // A purchase that was begun while the player waited is as it began, and need not be read.
    if (isCompletedJustNow && link.change === null) {
      return { kind: 'completed', subscriptionId, status: FIRST_STATUS, position };
    }
    const { state } = await this.ledger.load(subscriptionAggregate, subscriptionId);
    return { kind: 'completed', subscriptionId, status: state.status, position };
  }
}

/**
 * How an attempt failed, if it did. The bank's answer is that attempt's for good. One that was replaced and captured
 * too late is given back. That counts as a decline only as long as nothing else paid the link: then the buyer has the
 * purchase (rules/payments 3).
 */
export function findDecline(link: CreatedCheckoutLink, number: number): AttemptDecline | null {
  const { decline = null, paymentId = null } = link.attempts[number - 1] ?? {};
  if (decline !== null || link.paidBy !== null || paymentId === null) return decline;
  if (!link.latePaymentIds.includes(paymentId)) return null;
  return { reason: 'issuer_unavailable', declineClass: 'soft' };
}
