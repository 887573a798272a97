import { Injectable } from '@nestjs/common';
import {
  type CreatedOrder,
  orderAggregate,
  orderLinkAggregate,
  ORDER_LINK_PREFIX,
} from '#domain/order';
import { isId } from '#domain/ids';
import { Ledger, notFound } from '#nest';
import { assertDefect } from '#platform';
import { KnownLinks } from '../links/known-links.js';

/** Finds orders by the address of their page. */
@Injectable()
export class OrderLinks {
  constructor(
    private readonly links: KnownLinks,
    private readonly ledger: Ledger,
  ) {}

  /** Whether the link would be one of an order, were it there: its id says so. */
  leadsToOrder(linkId: string): boolean {
    return isId(ORDER_LINK_PREFIX, linkId);
  }

  /** From memory, where the order's own events have gone by: the items never change. @throws as `find`. */
  async findSold(linkId: string): Promise<CreatedOrder> {
    const link = this.ledger.recall(orderLinkAggregate, linkId)?.state;
    if (link?.status !== 'created') return this.find(linkId);
    const order = this.ledger.recall(orderAggregate, link.orderId)?.state;
    return order === undefined || order.status === 'none' ? this.find(linkId) : order;
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
