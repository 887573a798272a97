import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { parseInstant } from '#domain/calendar';
import {
  type CheckoutLink,
  checkoutLinkAggregate,
  type CreatedCheckoutLink,
  KEYS_REMEMBERED,
  lastAttempt,
} from '#domain/checkout-link';
import type { Instant } from '#domain/event';
import { isGreater, type Money, money } from '#domain/money';
import { isAvailable, planAggregate } from '#domain/plan';
import { playerAggregate } from '#domain/player';
import { taxRatesAggregate } from '#domain/pricing';
import type { QuotedChange } from '#domain/subscription';
import {
  ApiError,
  CLOCK,
  type CommandContext,
  CommandContexts,
  type CommandSource,
  commandWith,
  Ledger,
  rejected,
} from '#nest';
import { assertDefect, type Clock, SharedReads } from '#platform';
import { ChangeQuotes } from './change-quotes.js';
import { ChosenMethods } from '../links/chosen-methods.js';
import { KnownLinks } from '../links/known-links.js';
import { findPlanRefusal } from './plan-refusal.js';

/** A request that joined an attempt keeps its answer for good; a paid link answers every key alike. */
const RECORDING = {
  isNeeded: ({ status }: CheckoutLink) => status !== 'completed',
  max: KEYS_REMEMBERED,
};

/** The attempt that a click belongs to. */
export interface StartedAttempt {
  /** Counted from 1. */
  readonly attempt: number;
  /** Whether the same request was seen before. */
  readonly replayed: boolean;
}

/** The player's choice and the shown amount. */
export interface AttemptChoice {
  readonly paymentMethod: string | undefined;
  /** The amount due that the page showed; undefined where the caller does not say. */
  readonly amountCents: string | undefined;
  /** When the page computed that: a timestamp. */
  readonly quotedAt: string | undefined;
  /** Whether the gateway vouches for the method: it was entered on its page, for this link. */
  readonly isEnteredAtGateway?: boolean;
}

/** The most that may be charged, and the moment of its computation for a change. */
interface AgreedAmount {
  readonly shown: Money;
  readonly quotedAt?: Instant | null;
}

/** A click on the button: the link's id is the only credential needed. */
export class AttemptCheckout extends commandWith<
  { linkId: string; choice: AttemptChoice; source: CommandSource },
  StartedAttempt
>() {}

/**
 * Starts the attempt as an event, which the worker carries to its end whatever happens here; or joins
 * the one that is on its way. A request that was seen before gets its own attempt again.
 */
@CommandHandler(AttemptCheckout)
export class AttemptCheckoutHandler implements ICommandHandler<AttemptCheckout> {
  /** As the store has them: clicks of one moment share a read. */
  private readonly plans = new SharedReads(
    async (planId: string) => (await this.ledger.load(planAggregate, planId)).state,
  );
  private readonly taxRates = new SharedReads(
    async (appId: string) => (await this.ledger.load(taxRatesAggregate, appId)).state,
  );

  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly links: KnownLinks,
    private readonly quotes: ChangeQuotes,
    private readonly methods: ChosenMethods,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError for a link that cannot be paid, is paused, locked or expired. */
  async execute({ linkId, choice, source }: AttemptCheckout): Promise<StartedAttempt> {
    const { paymentMethod = '' } = choice;
    const link = await this.findLink(linkId);
    const { appId, player, offer } = link;
    const context = await this.contexts.withIdempotency(source, appId);
    const refusal = await this.findRefusal(link, choice);
    // Most clicks are first ones, which cost no look at the link.
    const mayBeKnown = link.change !== null || refusal !== undefined;
    const earlier = mayBeKnown ? await this.answerBefore(link, context) : undefined;
    if (earlier !== undefined) return earlier;
    if (refusal !== undefined) await this.requirePaid(link, refusal);
    const [plan, taxRates, { state: owner }] = await Promise.all([
      this.plans.load(offer.planId),
      this.taxRates.load(appId),
      // As the store has it now: nothing is to begin under a key that is gone (rules/storage 16).
      this.ledger.load(playerAggregate, player),
    ]);
    const { now } = context;
    const agreed = await this.agreedAmount(link, choice, now);
    const command = {
      kind: 'AttemptCheckout',
      paymentMethod,
      planIsAvailable: link.change?.kind === 'payment_method' || isAvailable(plan, now),
      playerIsErased: owner.status === 'erased',
      ...agreed,
      taxRates,
      now,
      wallNow: this.clock.now(),
    } as const;
    return startedAttempt(
      await this.ledger.execute(
        checkoutLinkAggregate,
        linkId,
        command,
        { ...context, player },
        { recording: RECORDING },
      ),
    );
  }

  /** The price of a change depends on whether it is under way. */
  private async findLink(linkId: string): Promise<CreatedCheckoutLink> {
    const link = await this.links.findSold(linkId);
    return link.change === null ? link : this.links.find(linkId);
  }

  /**
   * The same click may have made its attempt before: that is its answer, whatever a change comes to by now, or
   * also when it cannot be had any more, and whichever gateway the app was set to since (rules/payments 3).
   */
  private async answerBefore(
    { linkId, player }: CreatedCheckoutLink,
    context: CommandContext,
  ): Promise<StartedAttempt | undefined> {
    if (context.commandId === undefined) return undefined;
    const scope = { ...context, player };
    const before = await this.ledger.answerBefore(checkoutLinkAggregate, linkId, scope);
    return before && startedAttempt(before);
  }

  /**
   * The most that may be charged. Of an offer: the amount that the page showed, where the caller says it. Of a change:
   * that, or its present price. Undefined where a change cannot be had so while an attempt is on its way: that one is
   * joined, and no other begins (rules/payments 18).
   *
   * @throws ApiError where the change cannot be had now, or has become dearer than was shown.
   */
  private async agreedAmount(
    link: CreatedCheckoutLink,
    { amountCents, quotedAt: named = '' }: AttemptChoice,
    now: Instant,
  ): Promise<AgreedAmount | undefined> {
    if (link.change === null) {
      const { currency } = link.offer.price;
      return amountCents === undefined ? undefined : { shown: money(amountCents, currency) };
    }
    // A moment without an amount agrees to nothing.
    const quotedAt = amountCents === undefined ? null : (parseInstant(named) ?? null);
    const quoted = await this.quotes.find(link, { now, quotedAt });
    if (quoted === undefined) return undefined;
    const shown = boundChange(quoted, amountCents);
    if (!(shown instanceof ApiError)) return { shown, quotedAt };
    if (link.status === 'open') throw shown;
    return undefined;
  }

  /** Why nothing can be charged now, or not by this method: no attempt begins so. */
  private async findRefusal(
    link: CreatedCheckoutLink,
    choice: AttemptChoice,
  ): Promise<ApiError | undefined> {
    return (
      (await this.methods.findRefusal(link.appId, choice)) ??
      (await findPlanRefusal(this.ledger, link))
    );
  }

  /** A paid link stays paid, by whatever method. @throws ApiError where it is not. */
  private async requirePaid({ linkId }: CreatedCheckoutLink, refusal: ApiError): Promise<void> {
    const { state } = await this.ledger.load(checkoutLinkAggregate, linkId);
    if (state.status !== 'completed') throw refusal;
  }
}

function startedAttempt({
  state,
  replayed,
}: {
  readonly state: CheckoutLink;
  readonly replayed: boolean;
}): StartedAttempt {
  const last = state.status === 'none' ? undefined : lastAttempt(state);
  assertDefect(last, 'an attempt that left no event');
  return { attempt: last.attempt, replayed };
}

/** The most that may be charged for a change, or why it is refused. */
function boundChange(quoted: QuotedChange, amountCents: string | undefined): Money | ApiError {
  if (!quoted.accepted) return rejected(quoted.rejection);
  const { amount, isScheduled } = quoted.quote;
  if (isScheduled) return rejected({ code: 'subscription/not_a_downgrade' });
  const shown = money(amountCents ?? amount.amountMinor, amount.currency);
  if (!isGreater(amount, shown)) return shown;
  return rejected({ code: 'checkout_link/amount_changed', amount });
}
