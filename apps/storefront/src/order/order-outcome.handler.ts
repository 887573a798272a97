import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ANSWER_LIMIT_MS } from '#domain/checkout-link';
import type { Position } from '#domain/event';
import { readBucket } from '#domain/ids';
import {
  findOrderChallenge,
  lastOrderAttempt,
  orderAggregate,
  type OrderStatus,
} from '#domain/order';
import { answer, ApiError, Ledger, lookUntil, STOPPING } from '#nest';
import { assertDefect } from '#platform';
import type { ChallengeAddresses } from '#tenancy';
import { LinkNews } from '../links/link-news.js';
import { CHALLENGE_ADDRESSES } from '../tokens.js';
import { OrderLinks } from './order-links.js';

/** How an attempt to pay an order ended as far as the buyer is concerned. */
export type OrderOutcome =
  | {
      readonly kind: 'completed';
      readonly orderId: string;
      readonly status: OrderStatus;
      readonly position: Position | null;
    }
  | { readonly kind: 'declined' }
  | { readonly kind: 'challenge'; readonly url: string }
  | { readonly kind: 'pending' };

/** The outcome of an attempt, asked for by its number; null for an order that costs nothing. */
export class AwaitOrderOutcome extends Query<OrderOutcome> {
  constructor(
    readonly linkId: string,
    readonly attempt: number | null,
    /** Whether the player has decided at the bank, so that the next outcome is waited for. */
    readonly isConfirmed = false,
  ) {
    super();
  }
}

/** Waits for the outcome of an attempt, up to the bound. */
@QueryHandler(AwaitOrderOutcome)
export class OrderOutcomeHandler implements IQueryHandler<AwaitOrderOutcome> {
  constructor(
    private readonly ledger: Ledger,
    private readonly links: OrderLinks,
    private readonly news: LinkNews,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
    @Inject(CHALLENGE_ADDRESSES) private readonly addresses: Pick<ChallengeAddresses, 'open'>,
  ) {}

  async execute(query: AwaitOrderOutcome): Promise<OrderOutcome> {
    const { orderId } = await this.links.findSold(query.linkId);
    const look = (mayHaveMissedNews: boolean) => this.look(orderId, query, mayHaveMissedNews);
    const outcome = await lookUntil(look, {
      limitMs: ANSWER_LIMIT_MS,
      stopping: this.stopping,
      onNews: (tell) => this.news.subscribe(orderId, tell),
    });
    // The worker goes on with a charge that takes longer, and the page tells its outcome.
    return outcome ?? { kind: 'pending' };
  }

  private async look(
    orderId: string,
    { attempt: number, isConfirmed }: AwaitOrderOutcome,
    mayHaveMissedNews: boolean,
  ): Promise<OrderOutcome | undefined> {
    // The order's events go by, and are folded before they are news.
    const followed = mayHaveMissedNews ? undefined : this.ledger.recall(orderAggregate, orderId);
    const { state: order, position } =
      followed ?? (await this.ledger.load(orderAggregate, orderId));
    assertDefect(order.status !== 'none', 'an order that was there before');
    const attempt = order.attempts.find((one) => one.attempt === number);
    if (attempt?.decline) return { kind: 'declined' };
    if (order.paidAt !== null) {
      return { kind: 'completed', orderId, status: order.status, position };
    }
    // One that came too late goes back, and one of an order that has ended buys nothing.
    const isLate = attempt !== undefined && order.lateCaptures.includes(attempt.paymentId);
    if (isLate || order.status !== 'OPEN') return { kind: 'declined' };
    const isLast = lastOrderAttempt(order)?.attempt === number;
    const challenge = isLast ? findOrderChallenge(order) : undefined;
    if (challenge === undefined || isConfirmed) return undefined;
    return { kind: 'challenge', url: this.addresses.open(challenge, challenge.sealedUrl) };
  }
}

/**
 * The outcome as the page's own call gets it. Why a bank declined is for the studio alone (rules/orders 2).
 *
 * @throws ApiError 9 PAYMENT_DECLINED.
 */
export function answerOrder(outcome: OrderOutcome, replayed: boolean) {
  switch (outcome.kind) {
    case 'declined':
      throw new ApiError('FAILED_PRECONDITION', {
        reason: 'PAYMENT_DECLINED',
        message: 'The payment was declined. Try another payment method.',
        metadata: { reason: 'card_declined', declineClass: 'hard' },
        ...(replayed && { headers: { 'idempotency-replayed': 'true' } }),
      });
    case 'pending':
      return answer({ status: 'pending' } as const, { status: 202, replayed });
    case 'challenge':
      return answer({ status: 'challenge', challengeUrl: outcome.url } as const, {
        status: 202,
        replayed,
      });
    case 'completed': {
      const { orderId, status, position } = outcome;
      return answer({ orderId, status }, { position, bucket: readBucket(orderId), replayed });
    }
  }
}
