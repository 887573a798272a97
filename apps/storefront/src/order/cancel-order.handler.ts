import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readBucket } from '#domain/ids';
import { orderAggregate, type OrderStatus } from '#domain/order';
import { answer, CLOCK, CommandContexts, type CommandSource, commandWith, Ledger } from '#nest';
import { assertDefect, type Clock } from '#platform';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../tokens.js';
import { OrderLinks } from './order-links.js';

/** The order that the player has ended. */
export interface CanceledOrder {
  readonly orderId: string;
  readonly status: OrderStatus;
}

/** A player does not want an order any more (rules/orders 5). */
export class CancelOrder extends commandWith<
  { linkId: string; address: string; source: CommandSource },
  CanceledOrder
>() {}

@CommandHandler(CancelOrder)
export class CancelOrderHandler implements ICommandHandler<CancelOrder> {
  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly links: OrderLinks,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'sealPresent'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError for one that is paid, has run out, or whose payment may have its outcome at any moment. */
  async execute({ linkId, address, source }: CancelOrder): Promise<CanceledOrder> {
    const { orderId, appId, player } = await this.links.find(linkId);
    const context = await this.contexts.withoutIdempotency(source, appId);
    const personal = await this.personalData.sealPresent({ appId, player }, { ipAddress: address });
    const reason = 'canceled_by_player' as const;
    const { now } = context;
    const wallNow = this.clock.now();
    const command = { kind: 'CancelOrder', reason, personal, now, wallNow } as const;
    const { state, position } = await this.ledger.execute(orderAggregate, orderId, command, {
      ...context,
      player,
    });
    const { status } = state;
    assertDefect(status !== 'none', 'an order that was canceled');
    return answer({ orderId, status }, { position, bucket: readBucket(orderId) });
  }
}
