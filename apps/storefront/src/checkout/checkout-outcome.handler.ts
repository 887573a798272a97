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
import { Ledger, STOPPING } from '#nest';
import { assertDefect, sleep } from '#platform';
import { type AttemptDecline, findDecline } from './payment-decline.js';

/** The link's stream is looked at after this time, then less and less often: most wait only shortly. */
const FIRST_LOOK_MS = 10;
const SLOWEST_LOOK_MS = 250;
const LOOK_SLOWER_BY = 1.2;

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
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  async execute({ linkId, attempt }: AwaitCheckoutOutcome): Promise<CheckoutOutcome> {
    const endsAt = performance.now() + ANSWER_LIMIT_MS;
    let waitMs = FIRST_LOOK_MS;
    do {
      const { state: link, position } = await this.ledger.load(checkoutLinkAggregate, linkId);
      assertDefect(link.status !== 'none', 'a link that was there before');
      const decline = findDecline(link, attempt);
      if (decline !== null) return { kind: 'declined', decline };
      if (link.status === 'completed') return this.describeCompletion(link, position);
      // A stop is not held up: the worker goes on with the charge, and the page tells its outcome.
      if (this.stopping.aborted) break;
      await sleep(waitMs, this.stopping).catch(() => undefined);
      waitMs = Math.min(waitMs * LOOK_SLOWER_BY, SLOWEST_LOOK_MS);
    } while (performance.now() < endsAt);
    return { kind: 'pending' };
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
