import { Injectable } from '@nestjs/common';
import { type CreatedOrder, orderAggregate } from '#domain/order';
import { Ledger, notFound } from '#nest';
import { assertDefect } from '#platform';
import { KnownLinks } from '../links/known-links.js';

/** Finds orders by what stands in the address of their page. */
@Injectable()
export class OrderLinks {
  constructor(
    private readonly links: KnownLinks,
    private readonly ledger: Ledger,
  ) {}

  /** Whether the link is one of an order. @throws ApiError as `KnownLinks`. */
  async leadsToOrder(linkId: string): Promise<boolean> {
    return (await this.links.findAny(linkId)).status === 'created';
  }

  /** @throws ApiError where there is no such link, or where it is none of an order. */
  async find(linkId: string): Promise<CreatedOrder> {
    const link = await this.links.findAny(linkId);
    if (link.status !== 'created') throw notFound('checkout link', linkId);
    const { state } = await this.ledger.load(orderAggregate, link.orderId);
    assertDefect(state.status !== 'none', 'a link of an order that is not there');
    return state;
  }
}
