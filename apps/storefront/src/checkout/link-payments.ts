import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { CommandSource } from '#nest';
import { OrderLinks } from '../order/order-links.js';
import { type OrderChoice, PayOrder } from '../order/pay-order.handler.js';
import { type AttemptChoice, AttemptCheckout } from './attempt-checkout.handler.js';
import { AwaitOutcome } from './await-outcome.handler.js';
import type { PaidLink } from './outcome-answer.js';

/** Pays links by clicks, whatever they sell, and waits for the outcomes. */
@Injectable()
export class LinkPayments {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly orders: OrderLinks,
  ) {}

  /** @throws ApiError for a link that cannot be paid. */
  async pay(
    linkId: string,
    choice: AttemptChoice & OrderChoice,
    source: CommandSource,
  ): Promise<PaidLink> {
    const click = { linkId, choice, source };
    const { attempt, replayed } = await (this.orders.leadsToOrder(linkId)
      ? this.commands.execute(new PayOrder(click))
      : this.commands.execute(new AttemptCheckout(click)));
    return { outcome: await this.queries.execute(new AwaitOutcome({ linkId, attempt })), replayed };
  }
}
