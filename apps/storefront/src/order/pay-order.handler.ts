import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KEYS_REMEMBERED } from '#domain/checkout-link';
import { money } from '#domain/money';
import {
  type CreatedOrder,
  isFree,
  lastOrderAttempt,
  type Order,
  orderAggregate,
  type OrderCommand,
} from '#domain/order';
import {
  type CommandContext,
  CommandContexts,
  type CommandSource,
  commandWith,
  Ledger,
} from '#nest';
import type { PlayerOrigin } from '../origin/player-origin.js';
import { OrderCharges } from '../shop/orders/order-charges.js';
import { ChosenMethods } from '../links/chosen-methods.js';
import { OrderClicks } from './order-clicks.js';
import { OrderLinks } from './order-links.js';

/** A request that joined an attempt keeps its answer for good; a paid order answers every key alike. */
const RECORDING = {
  isNeeded: (order: Order) => order.status === 'OPEN',
  max: KEYS_REMEMBERED,
};

/** The player's choice on the page of an order. */
export interface OrderChoice {
  /** Undefined where nothing is to be paid. */
  readonly paymentMethod: string | undefined;
  readonly emailMarketingOptIn: boolean;
  /** The amount that the page showed, in minor units. */
  readonly amountCents: string | undefined;
  /** The origin of the click. */
  readonly origin: PlayerOrigin;
  /** Whether the gateway vouches for the method: it was entered on its page, for this link. */
  readonly isEnteredAtGateway?: boolean;
}

/** The attempt that a click belongs to: null where nothing was to be paid. */
interface StartedOrderAttempt {
  readonly attempt: number | null;
  readonly replayed: boolean;
}

/** A click on the button of an order's page: the link's id is the only credential needed. */
export class PayOrder extends commandWith<
  { linkId: string; choice: OrderChoice; source: CommandSource },
  StartedOrderAttempt
>() {}

/** Starts an attempt as an event of the order, or claims it where it costs nothing (rules/orders 2 and 4). */
@CommandHandler(PayOrder)
export class PayOrderHandler implements ICommandHandler<PayOrder> {
  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly links: OrderLinks,
    private readonly charges: OrderCharges,
    private readonly methods: ChosenMethods,
    private readonly clicks: OrderClicks,
  ) {}

  /** @throws ApiError for an order that cannot be paid, has ended, is paused or locked. */
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
      { recording: RECORDING },
    );
    const last = state.status === 'none' ? undefined : lastOrderAttempt(state);
    return { attempt: last?.attempt ?? null, replayed };
  }

  /** The shop counts pieces by the order's progress. */
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
    const click = await this.clicks.describe(order, choice, now);
    const { quote } = click;
    const { amountCents } = choice;
    const shown = amountCents === undefined ? null : money(amountCents, quote.amount.currency);
    if (isFree(quote)) return { kind: 'ClaimOrder', ...click };
    const paymentMethod = await this.requireMethod(linkId, order.appId, choice);
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
    const before = await this.ledger.answerBefore(orderAggregate, orderId, context);
    const decision = orderAggregate.decider.decide(command, order);
    const begins = decision.accepted && decision.events.length > 0;
    if (before !== undefined || !begins) return;
    await this.charges.request(order, unconditioned(context));
  }

  /** @throws ApiError for a method that the gateway does not know, or that was not entered there. */
  private async requireMethod(linkId: string, appId: string, choice: OrderChoice): Promise<string> {
    const { paymentMethod = '' } = choice;
    const refusal = await this.methods.findRefusal(appId, choice);
    if (refusal === undefined) return paymentMethod;
    // A paid order stays paid, by whatever method.
    const { paidAt } = await this.links.find(linkId);
    if (paidAt === null) throw refusal;
    return paymentMethod;
  }
}

/** Key and condition are about the order's own stream. */
function unconditioned(context: CommandContext): CommandContext {
  const { commandId: _id, commandHash: _hash, ifMatch: _match, ...rest } = context;
  return rest;
}
