import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import {
  ANSWER_LIMIT_MS,
  type CheckoutLink,
  checkoutLinkAggregate,
  type CreatedCheckoutLink,
  KEYS_REMEMBERED,
  lastAttempt,
} from '#domain/checkout-link';
import type { Environment, Position } from '#domain/event';
import { isAvailable, planAggregate } from '#domain/plan';
import { taxedCharge, taxRatesAggregate } from '#domain/pricing';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandExecutor } from '#event-store';
import type { PaymentGateways } from '#gateway';
import {
  ApiError,
  APP_DIRECTORY,
  CLOCK,
  COMMAND_EXECUTOR,
  CommandContexts,
  gatewayNotConfigured,
  invalidFields,
  STOPPING,
} from '#nest';
import { assertDefect, type Clock, Fault, sleep } from '#platform';
import type { AppDirectory } from '#tenancy';
import { RunCommand } from '../commands/run-command.js';
import { GATEWAYS } from '../tokens.js';
import { CheckoutLinkLookups } from './checkout-link-lookups.js';
import { declinedPayment, declineOf } from './checkout-decline.js';
import { checkoutPage, missingPage, notConfiguredPage, unavailablePage } from './checkout-page.js';
import type { Page } from './page-layout.js';

/** The link's stream is looked at after this time, then less and less often: most wait only shortly. */
const FIRST_LOOK_MS = 10;
const SLOWEST_LOOK_MS = 250;
const LOOK_SLOWER_BY = 1.2;

/** Who joined an attempt is told of that one for good; a paid link answers every key alike. */
const NOTES = {
  isNeeded: ({ status }: CheckoutLink) => status !== 'completed',
  max: KEYS_REMEMBERED,
};

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
    private readonly contexts: CommandContexts,
    private readonly links: CheckoutLinkLookups,
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  /** What a browser is shown: a player gets a page also where there is none to show. */
  async page(linkId: string): Promise<Page> {
    try {
      const link = await this.links.find(linkId);
      const app = await this.contexts.appOf(link.appId);
      const isPaid = link.status === 'completed';
      if (!isPaid && this.gateways.of(app.environment) === undefined) return notConfiguredPage();
      const { state: taxRates } = await this.commands.load(taxRatesAggregate, link.appId);
      const now = this.apps.now(app);
      const charge = taxedCharge(link.offer.price, link.regionCode, taxRates, now);
      return checkoutPage(link, charge, app.name, this.clock.now());
    } catch (error) {
      if (error instanceof ApiError && error.status === 'NOT_FOUND') return missingPage();
      if (error instanceof ApiError && error.status === 'RESOURCE_EXHAUSTED')
        return unavailablePage();
      if (error instanceof Fault && error.code === 'unavailable') return unavailablePage();
      throw error;
    }
  }

  /**
   * Starts the attempt as an event, which the worker carries to its end whatever happens here; or
   * joins the one that is on its way. A request that was seen before gets its own attempt again.
   *
   * @throws ApiError for what cannot be paid, and for a link that is paused, locked or expired.
   */
  async attempt(
    request: FastifyRequest,
    linkId: string,
    paymentMethod: string,
  ): Promise<{ readonly number: number; readonly replayed: boolean }> {
    const link = await this.links.find(linkId);
    const { appId, externalAccountId, offer } = link;
    const context = await this.contexts.withIdempotency(request, appId);
    this.requirePayable(link, context.environment, paymentMethod);
    const { state: plan } = await this.commands.load(planAggregate, offer.planId);
    const { state, replayed } = await this.bus.execute(
      new RunCommand(
        checkoutLinkAggregate,
        linkId,
        {
          kind: 'AttemptCheckout',
          paymentMethod,
          planIsAvailable: isAvailable(plan, context.now),
          now: context.now,
          wallNow: this.clock.now(),
        },
        { ...context, externalAccountId },
        { what: 'checkout link', recording: NOTES },
      ),
    );
    const last = state.status === 'none' ? undefined : lastAttempt(state);
    assertDefect(last, 'an attempt that left no event');
    return { number: last.attempt, replayed };
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

  /**
   * Waits for the outcome of an attempt, up to the bound. A decline is that attempt's for good, also
   * when a later one was more fortunate.
   *
   * @throws ApiError 9 PAYMENT_DECLINED.
   */
  async outcomeOf(linkId: string, attempt: number): Promise<CheckoutOutcome> {
    const endsAt = performance.now() + ANSWER_LIMIT_MS;
    let waitMs = FIRST_LOOK_MS;
    do {
      const { state: link, position } = await this.commands.load(checkoutLinkAggregate, linkId);
      assertDefect(link.status !== 'none', 'a link that was there before');
      const decline = declineOf(link, attempt);
      if (decline !== null) throw declinedPayment(decline);
      if (link.status === 'completed') return this.completed(link, position);
      // A stop is not held up: the worker goes on with the charge, and the page tells its outcome.
      if (this.stopping.aborted) break;
      await sleep(waitMs, this.stopping).catch(() => undefined);
      waitMs = Math.min(waitMs * LOOK_SLOWER_BY, SLOWEST_LOOK_MS);
    } while (performance.now() < endsAt);
    return { kind: 'pending' };
  }

  private async completed(
    link: CreatedCheckoutLink,
    position: Position | null,
  ): Promise<CheckoutOutcome> {
    const { subscriptionId = '' } = lastAttempt(link) ?? {};
    const { state } = await this.commands.load(subscriptionAggregate, subscriptionId);
    return { kind: 'completed', subscriptionId, status: state.status, position };
  }
}
