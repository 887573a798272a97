import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import {
  ANSWER_LIMIT_MS,
  checkoutLinkAggregate,
  type CreatedCheckoutLink,
  lastAttempt,
} from '#domain/checkout-link';
import type { Position } from '#domain/event';
import { subscriptionAggregate } from '#domain/subscription';
import { Ledger, lookUntil, STOPPING } from '#nest';
import { assertDefect } from '#platform';
import { LinkNews } from './link-news.js';
import { type AttemptDecline, findDecline } from './payment-decline.js';

/** How an attempt ended as far as the buyer is concerned. */
export type CheckoutOutcome =
  | {
      readonly kind: 'completed';
      readonly subscriptionId: string;
      readonly status: string;
      readonly position: Position | null;
    }
  | { readonly kind: 'declined'; readonly decline: AttemptDecline }
  | { readonly kind: 'pending' };

/** What became of an attempt, asked for by its number. */
export class AwaitCheckoutOutcome extends Query<CheckoutOutcome> {
  constructor(
    readonly linkId: string,
    readonly attempt: number,
  ) {
    super();
  }
}

/**
 * Waits for the outcome of an attempt, up to the bound. A decline is that attempt's for good, also when
 * a later one was more fortunate (rules/payments 3).
 */
@QueryHandler(AwaitCheckoutOutcome)
export class CheckoutOutcomeHandler implements IQueryHandler<AwaitCheckoutOutcome> {
  constructor(
    private readonly ledger: Ledger,
    private readonly news: LinkNews,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  async execute({ linkId, attempt }: AwaitCheckoutOutcome): Promise<CheckoutOutcome> {
    const look = () => this.look(linkId, attempt);
    const outcome = await lookUntil(look, {
      limitMs: ANSWER_LIMIT_MS,
      stopping: this.stopping,
      news: (signal) => this.news.next(linkId, signal),
    });
    // The worker goes on with a charge that takes longer, and the page tells its outcome.
    return outcome ?? { kind: 'pending' };
  }

  private async look(linkId: string, attempt: number): Promise<CheckoutOutcome | undefined> {
    const { state: link, position } = await this.ledger.load(checkoutLinkAggregate, linkId);
    assertDefect(link.status !== 'none', 'a link that was there before');
    const decline = findDecline(link, attempt);
    if (decline !== null) return { kind: 'declined', decline };
    return link.status === 'completed' ? this.describeCompletion(link, position) : undefined;
  }

  private async describeCompletion(
    link: CreatedCheckoutLink,
    position: Position | null,
  ): Promise<CheckoutOutcome> {
    const { subscriptionId = '' } = lastAttempt(link) ?? {};
    const { state } = await this.ledger.load(subscriptionAggregate, subscriptionId);
    return { kind: 'completed', subscriptionId, status: state.status, position };
  }
}
