import { Injectable } from '@nestjs/common';
import { type CreatedOrder, orderAggregate } from '#domain/order';
import { CommandContexts, type CommandSource, Ledger } from '#nest';
import { Activities } from '../shop/activity/activities.js';
import { VisitLimits } from '../shop/http/visit-limits.js';

/** Records that a player has opened the page of an order (rules/orders 6). */
@Injectable()
export class OrderOpenings {
  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly activities: Activities,
    private readonly limits: VisitLimits,
  ) {}

  /** @param regionCode the player's region. @throws Fault of the store. */
  async record(order: CreatedOrder, regionCode: string, source: CommandSource): Promise<void> {
    await this.recordFirst(order, source);
    await this.recordView({ ...order, regionCode }, source);
  }

  /** Of the first time that the page is opened the studio gets a webhook. */
  private async recordFirst(
    { appId, orderId, player, status, openedAt }: CreatedOrder,
    source: CommandSource,
  ): Promise<void> {
    if (status !== 'OPEN' || openedAt !== null) return;
    const context = await this.contexts.withoutIdempotency(source, appId);
    const command = { kind: 'OpenCheckout', now: context.now } as const;
    const about = { ...context, player };
    await this.ledger.execute(orderAggregate, orderId, command, about);
  }

  /** Before the first attempt: a page whose payment is on its way loads itself anew. */
  private async recordView(order: CreatedOrder, source: CommandSource): Promise<void> {
    const { source: madeBy, status, attempts, player } = order;
    const isShown = madeBy !== 'ServicePay' && status === 'OPEN' && attempts.length === 0;
    if (!isShown || !this.limits.take(player)) return;
    const viewed = { type: 'activity.checkout_page_viewed.v1', data: {} } as const;
    await this.activities.record(order, [viewed], source);
  }
}
