import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  type CheckoutLink,
  checkoutLinkAggregate,
  type CreatedCheckoutLink,
  KEYS_REMEMBERED,
  lastAttempt,
} from '#domain/checkout-link';
import type { Environment } from '#domain/event';
import { isAvailable, planAggregate } from '#domain/plan';
import { playerAggregate } from '#domain/player';
import type { PaymentGateways } from '#gateway';
import {
  CLOCK,
  CommandContexts,
  type CommandSource,
  gatewayNotConfigured,
  invalidFields,
  Ledger,
} from '#nest';
import { assertDefect, type Clock } from '#platform';
import { GATEWAYS } from '../tokens.js';
import { KnownLinks } from './known-links.js';

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

/** A click on the button: the link's id is the only credential needed. */
export class AttemptCheckout extends Command<StartedAttempt> {
  constructor(
    readonly linkId: string,
    readonly paymentMethod: string,
    readonly source: CommandSource,
  ) {
    super();
  }
}

/**
 * Starts the attempt as an event, which the worker carries to its end whatever happens here; or joins
 * the one that is on its way. A request that was seen before gets its own attempt again.
 */
@CommandHandler(AttemptCheckout)
export class AttemptCheckoutHandler implements ICommandHandler<AttemptCheckout> {
  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly links: KnownLinks,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError for what cannot be paid, and for a link that is paused, locked or expired. */
  async execute({ linkId, paymentMethod, source }: AttemptCheckout): Promise<StartedAttempt> {
    const link = await this.links.find(linkId);
    const { appId, player, offer } = link;
    const context = await this.contexts.withIdempotency(source, appId);
    this.requirePayable(link, context.environment, paymentMethod);
    const [{ state: plan }, { state: owner }] = await Promise.all([
      this.ledger.load(planAggregate, offer.planId),
      // As the store has it now: nothing is to begin under a key that is gone (rules/storage 16).
      this.ledger.load(playerAggregate, player),
    ]);
    const { now } = context;
    const command = {
      kind: 'AttemptCheckout',
      paymentMethod,
      planIsAvailable: isAvailable(plan, now),
      playerIsErased: owner.status === 'erased',
      now,
      wallNow: this.clock.now(),
    } as const;
    const { state, replayed } = await this.ledger.execute(
      checkoutLinkAggregate,
      linkId,
      command,
      { ...context, player },
      { what: 'checkout link', recording: RECORDING },
    );
    const last = state.status === 'none' ? undefined : lastAttempt(state);
    assertDefect(last, 'an attempt that left no event');
    return { attempt: last.attempt, replayed };
  }

  /** @throws ApiError where nothing can be charged, or not by this method. What is paid is paid. */
  private requirePayable(
    { status }: CreatedCheckoutLink,
    environment: Environment,
    paymentMethod: string,
  ): void {
    const gateway = this.gateways.of(environment);
    if (gateway === undefined && status !== 'completed') throw gatewayNotConfigured();
    if (gateway?.knows(paymentMethod) === false) {
      const description = 'is no payment method that the gateway knows';
      throw invalidFields([{ field: 'paymentMethod', description }]);
    }
  }
}
