import type { ActivityEvent } from '#domain/activity';
import { type Cart, cartAggregate } from '#domain/cart';
import { idOf, type RecordedEvent } from '#domain/event';
import { loyaltyAggregate } from '#domain/loyalty';
import { toMajor } from '#domain/money';
import type { PersonalOwner, PersonalTexts } from '#domain/personal-data';
import { shopAggregate } from '#domain/shop';
import { cutToCountry, readTimeMillis } from './order-fields.js';
import { defineRow, type RowInput, type WebhookRow } from './webhook-row.js';
import type { WebhookType } from './webhook-types.js';

/**
 * Players' acts in the webshop (rules/webshop 8): changes of the cart, claims, rewards reached by buying, and views.
 */
export const WEBSHOP_ROWS: readonly WebhookRow[] = [
  ...(['cart.item_set.v1', 'cart.item_removed.v1'] as const).map((on) =>
    defineRow({
      on,
      family: 'v1',
      type: 'MUTATE_CART',
      stream: cartAggregate,
      render: ({ event, state, open }) => {
        const { regionCode, personal } = event.data;
        const { accountId: userId, ipAddress = '' } = open(findOwner(event, personal));
        return eventData(event, {
          timeMillis: readTimeMillis(event),
          ...{ cartId: idOf(event.streamName), userId, items: listItems(state) },
          ...{ regionCode: cutToCountry(regionCode), source: 'Cart', ipAddress },
        });
      },
    }),
  ),
  defineRow({
    on: 'shop.item_claimed.v1',
    family: 'v1',
    type: 'FREE_ITEM_REDEEMED',
    stream: shopAggregate,
    render: ({ event, open }) => {
      const { itemId, personal } = event.data;
      const { accountId: userId, ipAddress = '' } = open(findOwner(event, personal));
      // Items of a catalog have none.
      const metadata = {};
      return eventData(event, {
        timeMillis: readTimeMillis(event),
        userId,
        itemId,
        ipAddress,
        metadata,
      });
    },
  }),
  defineRow({
    on: 'loyalty.milestone_claimed.v1',
    family: 'v1',
    type: 'LOYALTY_MILESTONE_CLAIMED',
    stream: loyaltyAggregate,
    when: (_loyalty, { isSent }) => isSent,
    render: ({ event, open }) => {
      const { campaignId, milestoneId, rewards } = event.data;
      const { accountId: userId } = open(findOwner(event));
      return eventData(event, {
        timeMillis: readTimeMillis(event),
        ...{ userId, campaignId, milestoneId, rewards },
      });
    },
  }),
  activityRow('activity.item_viewed.v1', 'VIEW_ITEM'),
  activityRow('activity.item_page_viewed.v1', 'VIEW_PRODUCT_DETAIL_PAGE'),
  activityRow('activity.checkout_page_viewed.v1', 'VIEW_CHECKOUT_PAGE'),
  activityRow('activity.cart_button_clicked.v1', 'CART_BUTTON_CLICK'),
];

/** Its stream is short-lived, so that the message is numbered by its revision (rules/webhooks 5). */
function activityRow(on: ActivityEvent['type'], type: WebhookType<'v1'>): WebhookRow {
  return defineRow({
    on,
    family: 'v1',
    type,
    render: ({ event, open }: RowInput<ActivityEvent['data']>) => {
      const { regionCode } = event.data;
      const { accountId: userId } = open(findOwner(event));
      const seen = 'itemId' in event.data ? { itemId: event.data.itemId } : {};
      return eventData(event, { userId, ...seen, regionCode: cutToCountry(regionCode) });
    },
  });
}

/** The player's own streams say whose they are by the metadata of their events. */
function findOwner({ metadata }: RecordedEvent, personal: PersonalTexts = {}): PersonalOwner {
  return { appId: metadata.appId, player: metadata.player ?? '', personal };
}

/** The body of a v1 message beside its type. */
function eventData({ metadata }: RecordedEvent, data: Readonly<Record<string, unknown>>) {
  return { environment: metadata.environment, eventData: data };
}

function listItems({ items }: Cart) {
  return items.map(({ itemId, quantity, price }) => ({
    ...{ id: itemId, quantity, price: toMajor(price), metadata: {} },
  }));
}
