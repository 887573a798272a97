import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { checkoutLinkAggregate, type CreatedCheckoutLink } from '#domain/checkout-link';
import type { Position } from '#domain/fact';
import { isAvailable, planAggregate } from '#domain/plan';
import { taxedCharge, taxRatesAggregate } from '#domain/pricing';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandHandler } from '#event-store';
import type { PaymentGateway } from '#gateway';
import { assertDefect, type Clock, Fault, newId, sleep } from '#platform';
import type { AppDirectory } from '#tenancy';
import { Envelopes } from '../commands/envelopes.js';
import { RunCommand } from '../commands/run-command.js';
import { ApiError, invalidFields, notFound } from '../http/api-error.js';
import { APP_DIRECTORY, CLOCK, COMMANDS, GATEWAY } from '../tokens.js';
import { checkoutPage, missingPage, unavailablePage } from './checkout-page.js';
import type { Page } from './page-layout.js';

/** decisions 11: a buyer waits this long; then the answer is `pending`, and the charge goes on. */
const OUTCOME_LIMIT_MS = 10_000;
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
  | { readonly kind: 'pending' };

/** The page's own calls: look at a link, and pay. The link's id is the only credential needed. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly bus: CommandBus,
    private readonly envelopes: Envelopes,
    @Inject(COMMANDS) private readonly commands: CommandHandler,
    @Inject(GATEWAY) private readonly gateway: PaymentGateway,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** What a browser is shown: a player gets a page also where there is none to show. */
  async page(linkId: string): Promise<Page> {
    try {
      const link = await this.find(linkId);
      const app = await this.envelopes.appOf(link.appId);
      const { state: taxRates } = await this.commands.load(taxRatesAggregate, link.appId);
      const now = this.apps.now(app);
      const charge = taxedCharge(link.offer.price, link.regionCode, taxRates, now);
      return checkoutPage(link, charge, app.name, this.clock.now());
    } catch (error) {
      if (error instanceof ApiError && error.status === 'NOT_FOUND') return missingPage();
      if (error instanceof Fault && error.code === 'unavailable') return unavailablePage();
      throw error;
    }
  }

  /**
   * Starts the attempt as a fact, which the worker carries to its end whatever happens here, and
   * waits for the outcome. A declined payment is an ApiError (9 PAYMENT_DECLINED).
   */
  async complete(
    request: FastifyRequest,
    linkId: string,
    paymentMethod: string,
  ): Promise<CheckoutOutcome> {
    if (!this.gateway.knows(paymentMethod)) {
      const description = 'is no payment method that the gateway knows';
      throw invalidFields([{ field: 'paymentMethod', description }]);
    }
    const link = await this.find(linkId);
    const { appId, externalAccountId, offer } = link;
    const envelope = await this.envelopes.plain(request, appId);
    const { state: plan } = await this.commands.load(planAggregate, offer.planId);
    const { state } = await this.bus.execute(
      new RunCommand(
        checkoutLinkAggregate,
        linkId,
        {
          kind: 'AttemptCheckout',
          paymentMethod,
          subscriptionId: newId('sub', envelope.now),
          paymentId: newId('pay', envelope.now),
          planIsAvailable: isAvailable(plan, envelope.now),
          now: envelope.now,
          wallNow: this.clock.now(),
        },
        { ...envelope, externalAccountId },
        { what: 'checkout link' },
      ),
    );
    assertDefect(state.status !== 'none' && state.lastAttempt, 'an attempt that left no fact');
    return this.outcomeOf(linkId, state.lastAttempt.attempt);
  }

  private async find(linkId: string): Promise<CreatedCheckoutLink> {
    const { state } = await this.commands.load(checkoutLinkAggregate, linkId);
    if (state.status === 'none') throw notFound('checkout link', linkId);
    return state;
  }

  private async outcomeOf(linkId: string, attempt: number): Promise<CheckoutOutcome> {
    const endsAt = performance.now() + OUTCOME_LIMIT_MS;
    let waitMs = FIRST_LOOK_MS;
    do {
      const { state: link, position } = await this.commands.load(checkoutLinkAggregate, linkId);
      assertDefect(link.status !== 'none', 'a link that was there before');
      if (link.status === 'completed') return this.completed(link, position);
      const { lastDecline } = link;
      if (link.status === 'open' && lastDecline !== null && lastDecline.attempt >= attempt) {
        throw declined(lastDecline);
      }
      await sleep(waitMs);
      waitMs = Math.min(waitMs * LOOK_SLOWER_BY, SLOWEST_LOOK_MS);
    } while (performance.now() < endsAt);
    return { kind: 'pending' };
  }

  private async completed(
    link: CreatedCheckoutLink,
    position: Position | null,
  ): Promise<CheckoutOutcome> {
    const { subscriptionId = '' } = link.lastAttempt ?? {};
    const { state } = await this.commands.load(subscriptionAggregate, subscriptionId);
    return { kind: 'completed', subscriptionId, status: state.status, position };
  }
}

function declined(decline: { reason: string; declineClass: string }): ApiError {
  const { reason, declineClass } = decline;
  return new ApiError('FAILED_PRECONDITION', {
    reason: 'PAYMENT_DECLINED',
    message: 'The payment was declined. Try another payment method.',
    metadata: { reason, declineClass },
  });
}
