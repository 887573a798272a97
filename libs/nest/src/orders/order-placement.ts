import { Inject, Injectable } from '@nestjs/common';
import { addMilliseconds } from '#domain/calendar';
import { CHECKOUT_LINK_LIFETIME_MS } from '#domain/checkout-link';
import type { Position } from '#domain/event';
import { readBucket } from '#domain/ids';
import {
  type CreatedOrder,
  orderAggregate,
  type OrderCommand,
  type OrderItem,
  ORDER_LINK_PREFIX,
  orderLinkAggregate,
  type OrderSource,
  quoteOrder,
} from '#domain/order';
import type { PersonalTexts } from '#domain/personal-data';
import { taxRatesAggregate } from '#domain/pricing';
import type { CommandContext } from '#event-store';
import { assertDefect, type Clock, newId, SharedReads } from '#platform';
import { Ledger } from '../commands/ledger.js';
import { CLOCK } from '../tokens.js';

/** An order that is to be made. */
export interface NewOrder {
  /** The same one for the same request: an order that is made twice is made once. */
  readonly orderId: string;
  readonly source: OrderSource;
  /** The backend's own id of the purchase; empty where it named none. */
  readonly transactionId?: string;
  /** The cart that is bought. */
  readonly cartId?: string;
  /** One at least, all in one currency. */
  readonly items: readonly OrderItem[];
  readonly currency: string;
  /** Where the player is, `DE` or `US-NY`; left out where nothing is known. */
  readonly regionCode?: string;
  /** The region of the tax until more is known: of an order without a region alone. */
  readonly fallbackRegionCode?: string;
  readonly language?: string;
  readonly returnUrl?: string;
  /** Sealed under the player's key. */
  readonly personal: PersonalTexts;
}

/** An order as its first event has it. */
type DescribedOrder = Extract<OrderCommand, { kind: 'CreateOrder' }>['order'];

/** An order that was made, with its page's path below the storefront's address. */
export interface PlacedOrder {
  readonly order: CreatedOrder;
  /** `/checkout/cl_...` */
  readonly path: string;
  readonly position: Position | null;
  /** Of its stream (decision 0009). */
  readonly bucket: string;
}

/** Makes orders with their links (rules/orders 1), for the studio's backend as for the shop. */
@Injectable()
export class OrderPlacement {
  /** As the store has them: requests of one moment share a read. */
  private readonly taxRates = new SharedReads(
    async (appId: string) => (await this.ledger.load(taxRatesAggregate, appId)).state,
  );

  constructor(
    private readonly ledger: Ledger,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Makes an order; one that is there already stays as it is, and is given again.
   *
   * @param context whose `player` is the pseudonym, and whose time is the app's. @throws Fault of the store.
   */
  async place(
    wanted: NewOrder,
    context: CommandContext & { readonly player: string },
  ): Promise<PlacedOrder> {
    const made = await this.makeOrder(await this.describe(wanted, context), context);
    // An order that was there names its link, which a crash may have prevented.
    await this.makeLink(made.order, context);
    const { orderId, checkoutLinkId } = made.order;
    return { ...made, path: `/checkout/${checkoutLinkId}`, bucket: readBucket(orderId) };
  }

  private async makeOrder(
    order: DescribedOrder,
    context: CommandContext,
  ): Promise<Pick<PlacedOrder, 'order' | 'position'>> {
    const command = { kind: 'CreateOrder', order } as const;
    // One that is there after all is found by the conflict.
    const options = { isNew: true };
    const made = await this.ledger.execute(
      orderAggregate,
      order.orderId,
      command,
      context,
      options,
    );
    assertDefect(made.state.status !== 'none', 'an order that was made is there');
    return { order: made.state, position: made.position };
  }

  private async makeLink(
    { checkoutLinkId: linkId, appId, player, orderId, createdAt }: CreatedOrder,
    context: CommandContext,
  ): Promise<void> {
    await this.ledger.execute(
      orderLinkAggregate,
      linkId,
      { kind: 'CreateOrderLink', link: { linkId, appId, player, orderId, createdAt } },
      context,
      { isNew: true },
    );
  }

  /**
   * Ends an unpaid order, for a later one takes its place; one that has ended stays as it is, and so does one that was
   * begun and is not made yet.
   *
   * @returns whether it has ended. @throws ApiError `ORDER_PAID`, and `PAYMENT_PENDING` while a payment of it may have its outcome at any moment.
   */
  async replace(orderId: string, context: CommandContext): Promise<boolean> {
    const { state } = await this.ledger.load(orderAggregate, orderId);
    if (state.status === 'none') return false;
    if (['FAILED', 'CANCELED'].includes(state.status)) return true;
    const wallNow = this.clock.now();
    const { now } = context;
    const command = {
      kind: 'CancelOrder',
      reason: 'replaced',
      personal: {},
      now,
      wallNow,
    } as const;
    await this.ledger.execute(orderAggregate, orderId, command, context);
    return true;
  }

  private async describe(
    wanted: NewOrder,
    { appId, player, now }: CommandContext & { readonly player: string },
  ) {
    const { orderId, source, items, currency, personal } = wanted;
    const { transactionId = '', cartId = '', language = '', returnUrl = '' } = wanted;
    const { regionCode = '', fallbackRegionCode = '' } = wanted;
    const taxedIn = regionCode || fallbackRegionCode;
    const taxRates = await this.taxRates.load(appId);
    return {
      ...{ orderId, appId, player, source, transactionId, cartId, items },
      // A link is a credential, so that it does not follow from the order's id, which others see.
      checkoutLinkId: newId(ORDER_LINK_PREFIX, now, readBucket(orderId)),
      quote: quoteOrder(items, currency, { regionCode: taxedIn, taxRates, now }),
      ...{ regionCode, language, returnUrl, personal },
      createdAt: now,
      expiresAt: addMilliseconds(now, CHECKOUT_LINK_LIFETIME_MS),
      wallExpiresAt: addMilliseconds(this.clock.now(), CHECKOUT_LINK_LIFETIME_MS),
    };
  }
}
