import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KEYS_REMEMBERED } from '#domain/checkout-link';
import { money } from '#domain/money';
import {
  type CreatedOrder,
  isFree,
  lastOrderAttempt,
  type Order,
  orderAggregate,
  type OrderCommand,
  quoteOrder,
} from '#domain/order';
import { playerAggregate } from '#domain/player';
import { taxRatesAggregate } from '#domain/pricing';
import type { PaymentGateways } from '#gateway';
import {
  type ApiError,
  CLOCK,
  type CommandContext,
  CommandContexts,
  type CommandSource,
  gatewayNotConfigured,
  invalidFields,
  Ledger,
} from '#nest';
import { type Clock, SharedReads } from '#platform';
import type { PersonalData } from '#tenancy';
import type { PlayerOrigin } from '../origin/player-origin.js';
import { chooseRegion } from '../origin/player-region.js';
import { GATEWAYS, PERSONAL_DATA } from '../tokens.js';
import { OrderCharges } from '../shop/orders/order-charges.js';
import { OrderLinks } from './order-links.js';

/** A request that joined an attempt keeps its answer for good; a paid order answers every key alike. */
const RECORDING = {
  isNeeded: (order: Order) => order.status === 'OPEN',
  max: KEYS_REMEMBERED,
};

/** What the player has chosen on the page of an order. */
export interface OrderChoice {
  /** Undefined where nothing is to be paid. */
  readonly paymentMethod: string | undefined;
  readonly emailMarketingOptIn: boolean;
  /** What the page showed, in minor units. */
  readonly amountCents: string | undefined;
  /** Where the click came from. */
  readonly origin: PlayerOrigin;
  /** Whether the gateway vouches for the method: it was entered on its page, for this link. */
  readonly isEnteredAtGateway?: boolean;
}

/** The attempt that a click belongs to: null where nothing was to be paid. */
export interface StartedOrderAttempt {
  readonly attempt: number | null;
  readonly replayed: boolean;
}

/** A click on the button of an order's page: the link's id is the only credential needed. */
export class PayOrder extends Command<StartedOrderAttempt> {
  constructor(
    readonly linkId: string,
    readonly choice: OrderChoice,
    readonly source: CommandSource,
  ) {
    super();
  }
}

/** Starts an attempt as an event of the order, or claims it where it costs nothing (rules/orders 2 and 4). */
@CommandHandler(PayOrder)
export class PayOrderHandler implements ICommandHandler<PayOrder> {
  /** As the store has them: clicks of one moment share a read. */
  private readonly taxRates = new SharedReads(
    async (appId: string) => (await this.ledger.load(taxRatesAggregate, appId)).state,
  );

  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly links: OrderLinks,
    private readonly charges: OrderCharges,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'sealPresent'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError for what cannot be paid, and for an order that has ended, is paused or locked. */
  async execute({ linkId, choice, source }: PayOrder): Promise<StartedOrderAttempt> {
    const order = await this.findOrder(linkId);
    const { appId, player } = order;
    const context = { ...(await this.contexts.withIdempotency(source, appId)), player };
    const command = await this.describe(linkId, order, choice, context);
    await this.countPieces(order, command, context);
    const { state, replayed } = await this.ledger.execute(
      orderAggregate,
      order.orderId,
      command,
      context,
      { what: 'order', recording: RECORDING },
    );
    const last = state.status === 'none' ? undefined : lastOrderAttempt(state);
    return { attempt: last?.attempt ?? null, replayed };
  }

  /** Pieces of the shop are counted by what has become of the order. */
  private async findOrder(linkId: string): Promise<CreatedOrder> {
    const order = await this.links.findSold(linkId);
    return order.source === 'ServicePay' ? order : this.links.find(linkId);
  }

  private async describe(
    linkId: string,
    order: CreatedOrder,
    choice: OrderChoice,
    { now }: CommandContext,
  ): Promise<OrderCommand> {
    const { appId, player, items } = order;
    const { origin } = choice;
    const [taxRates, { state: owner }, personal] = await Promise.all([
      this.taxRates.load(appId),
      // As the store has it now: nothing is to begin under a key that is gone (rules/storage 16).
      this.ledger.load(playerAggregate, player),
      this.personalData.sealPresent({ appId, player }, { ipAddress: origin.address }),
    ]);
    const { currency } = order.quote.amount;
    const app = await this.contexts.requireApp(appId);
    const regionCode = chooseRegion(order.regionCode, origin, app);
    const quote = quoteOrder(items, currency, { regionCode, taxRates, now });
    const click = {
      ...{ quote, emailMarketingOptIn: choice.emailMarketingOptIn, personal },
      ...{ playerIsErased: owner.status === 'erased', now, wallNow: this.clock.now() },
    };
    const { amountCents } = choice;
    const shown = amountCents === undefined ? null : money(amountCents, currency);
    if (isFree(quote)) return { kind: 'ClaimOrder', ...click };
    const paymentMethod = await this.requireMethod(linkId, appId, choice);
    return { kind: 'AttemptOrder', ...click, paymentMethod, shown };
  }

  /** Of the shop there are only so many: a click that begins no attempt need not be counted. */
  private async countPieces(
    order: CreatedOrder,
    command: OrderCommand,
    context: CommandContext,
  ): Promise<void> {
    const { source, orderId } = order;
    if (source === 'ServicePay') return;
    const what = { what: 'order' };
    const before = await this.ledger.answerBefore(orderAggregate, orderId, context, what);
    const decision = orderAggregate.decider.decide(command, order);
    const begins = decision.accepted && decision.events.length > 0;
    if (before !== undefined || !begins) return;
    await this.charges.request(order, unconditioned(context));
  }

  /** @throws ApiError for a method that the gateway does not know, or that was not entered there. */
  private async requireMethod(linkId: string, appId: string, choice: OrderChoice): Promise<string> {
    const { paymentMethod = '' } = choice;
    const refusal = await this.findRefusal(appId, choice);
    if (refusal === undefined) return paymentMethod;
    // What is paid is paid, by whatever method.
    const { paidAt } = await this.links.find(linkId);
    if (paidAt === null) throw refusal;
    return paymentMethod;
  }

  /** Why nothing can be charged now, or not by this method. */
  private async findRefusal(
    appId: string,
    { paymentMethod, isEnteredAtGateway = false }: OrderChoice,
  ): Promise<ApiError | undefined> {
    const gateway = await this.gateways.find(appId);
    if (gateway === undefined) return gatewayNotConfigured();
    if (paymentMethod === undefined || !gateway.knows(paymentMethod))
      return badMethod('must be a payment method that the gateway knows');
    if (gateway.cards === undefined || isEnteredAtGateway) return undefined;
    return badMethod("is entered on the gateway's own page, to which the page of the link leads");
  }
}

/** Key and condition are about the order's own stream. */
function unconditioned(context: CommandContext): CommandContext {
  const { commandId: _id, commandHash: _hash, ifMatch: _match, ...rest } = context;
  return rest;
}

function badMethod(description: string) {
  return invalidFields([{ field: 'paymentMethod', description }]);
}
