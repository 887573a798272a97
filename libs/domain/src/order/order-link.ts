import { accept, defineAggregate } from '../decider/index.js';
import type { DomainEvent, Instant } from '../event/index.js';

/** The link of an order: where it leads, and nothing else. The order's progress stands in the order's stream. */
export type OrderLinkCreated = DomainEvent<
  'order_link.created.v1',
  {
    readonly linkId: string;
    readonly appId: string;
    /** The player's pseudonym (rules/storage 6). */
    readonly player: string;
    readonly orderId: string;
    readonly createdAt: Instant;
  }
>;
export type OrderLinkEvent = OrderLinkCreated;

/** The prefix of its id: another link's stream need not be looked for. */
export const ORDER_LINK_PREFIX = 'co';

export interface OrderLinkCommand {
  readonly kind: 'CreateOrderLink';
  readonly link: OrderLinkCreated['data'];
}

export type CreatedOrderLink = OrderLinkCreated['data'] & { readonly status: 'created' };
export type OrderLink = { readonly status: 'none' } | CreatedOrderLink;

/** It has one event: whether an id is a link of an order is known without folding the order. */
export const orderLinkAggregate = defineAggregate<
  OrderLink,
  OrderLinkCommand,
  OrderLinkEvent,
  never
>('order_link', {
  initialState: { status: 'none' },
  evolve: (state, { data }) => (state.status === 'none' ? { ...data, status: 'created' } : state),
  decide: ({ link }, { status }) =>
    status === 'none' ? accept({ type: 'order_link.created.v1', data: link }) : accept(),
});
