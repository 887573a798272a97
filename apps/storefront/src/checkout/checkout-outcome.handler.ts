import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import {
  ANSWER_LIMIT_MS,
  checkoutLinkAggregate,
  type CreatedCheckoutLink,
  findChallenge,
  lastAttempt,
} from '#domain/checkout-link';
import type { Position } from '#domain/event';
import { FIRST_STATUS, subscriptionAggregate, type SubscriptionStatus } from '#domain/subscription';
import type { PlanRefusal } from '#domain/player-plans';
import { Ledger, lookUntil, STOPPING } from '#nest';
import { assertDefect } from '#platform';
import type { ChallengeAddresses } from '#tenancy';
import { CHALLENGE_ADDRESSES } from '../tokens.js';
import { LinkNews } from '../links/link-news.js';
import { type AttemptDecline, findDecline } from './payment-decline.js';

/** How an attempt ended as far as the buyer is concerned. */
export type CheckoutOutcome =
  | {
      readonly kind: 'completed';
      readonly subscriptionId: string;
      /** `none` stands for no subscription: a link that is completed has begun one. */
      readonly status: SubscriptionStatus | 'none';
      readonly position: Position | null;
    }
  | { readonly kind: 'declined'; readonly decline: AttemptDecline }
  /** The player has the plan already, or has had its trial. */
  | { readonly kind: 'refused'; readonly refusal: PlanRefusal }
  /** The bank wants the player to confirm at this address. */
  | { readonly kind: 'challenge'; readonly url: string }
  | { readonly kind: 'pending' };

/** The outcome of an attempt, asked for by its number. */
export class AwaitCheckoutOutcome extends Query<CheckoutOutcome> {
  constructor(
    readonly linkId: string,
    readonly attempt: number,
    /** Whether the player has decided at the bank, so that the next outcome is waited for. */
    readonly isConfirmed = false,
  ) {
    super();
  }
}

interface Seen {
  readonly mayHaveMissedNews: boolean;
  /** Whether there was no outcome a moment ago. */
  readonly hasWaited: boolean;
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
    @Inject(CHALLENGE_ADDRESSES) private readonly addresses: Pick<ChallengeAddresses, 'open'>,
  ) {}

  async execute(query: AwaitCheckoutOutcome): Promise<CheckoutOutcome> {
    const { linkId } = query;
    let hasWaited = false;
    const look = async (mayHaveMissedNews: boolean) => {
      const seen = { mayHaveMissedNews, hasWaited };
      hasWaited = true;
      return this.look(query, seen);
    };
    const outcome = await lookUntil(look, {
      limitMs: ANSWER_LIMIT_MS,
      stopping: this.stopping,
      onNews: (tell) => this.news.subscribe(linkId, tell),
    });
    // The worker goes on with a charge that takes longer, and the page tells its outcome.
    return outcome ?? { kind: 'pending' };
  }

  private async look(
    { linkId, attempt, isConfirmed }: AwaitCheckoutOutcome,
    { mayHaveMissedNews, hasWaited }: Seen,
  ): Promise<CheckoutOutcome | undefined> {
    // The link's events go by, and are folded before they are news.
    const followed = mayHaveMissedNews
      ? undefined
      : this.ledger.recall(checkoutLinkAggregate, linkId);
    const { state: link, position } =
      followed ?? (await this.ledger.load(checkoutLinkAggregate, linkId));
    assertDefect(link.status !== 'none', 'a link that was there before');
    const decline = findDecline(link, attempt);
    if (decline !== null) return { kind: 'declined', decline };
    const { refusal = null } = link.attempts[attempt - 1] ?? {};
    if (refusal !== null) return { kind: 'refused', refusal };
    if (link.status === 'completed') return this.describeCompletion(link, position, hasWaited);
    // A replaced attempt is not to be confirmed any more.
    const challenge = lastAttempt(link)?.attempt === attempt ? findChallenge(link) : undefined;
    if (challenge === undefined || isConfirmed) return undefined;
    return { kind: 'challenge', url: this.addresses.open(challenge, challenge.sealedUrl) };
  }

  private async describeCompletion(
    link: CreatedCheckoutLink,
    position: Position | null,
    isCompletedJustNow: boolean,
  ): Promise<CheckoutOutcome> {
    const { subscriptionId = '' } = lastAttempt(link) ?? {};
    // A purchase that was begun while the player waited is as it began, and need not be read.
    if (isCompletedJustNow && link.change === null) {
      return { kind: 'completed', subscriptionId, status: FIRST_STATUS, position };
    }
    const { state } = await this.ledger.load(subscriptionAggregate, subscriptionId);
    return { kind: 'completed', subscriptionId, status: state.status, position };
  }
}
