import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '#domain/event';
import { orderAggregate, type OrderEvent } from '#domain/order';
import { shopAggregate, type ShopEvent } from '#domain/shop';
import type { LedgerStore } from '#event-store';
import { APP_DIRECTORY, EVENT_STORE, LOG } from '#nest';
import { forEachConcurrently, type Log, warnSeldom, upTo } from '#platform';
import { type AppDirectory, wantsMessage } from '#tenancy';
import type { EventDeliveries } from '#worker-state';
import { EVENT_DELIVERIES } from '../../tokens.js';

/** A delivered purchase stays so: these are more than players buy in a day, in some 5 MB. */
const REMEMBERED = 50_000;
/** Of one player, looked up at once. */
const LOOKUPS_AT_ONCE = 8;

const PAID = 'order.paid.v1' satisfies OrderEvent['type'];
const CLAIMED = 'shop.item_claimed.v1' satisfies ShopEvent['type'];

/**
 * Whether studios were sent the webhooks of a player's purchases and claims (rules/webshop 5). An unknown delivery
 * counts as none: a player then waits, where the studio might else give more than there is.
 */
@Injectable()
export class DeliveredPurchases {
  readonly #delivered = new LRUCache<string, true>(upTo(REMEMBERED));

  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<LedgerStore, 'readStream'>,
    @Inject(APP_DIRECTORY) private readonly apps: Pick<AppDirectory, 'listEndpoints'>,
    @Inject(EVENT_DELIVERIES) private readonly deliveries: Pick<EventDeliveries, 'haveEnded'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Of an order that was paid. @throws Fault of the store. */
  async hasOrder(orderId: string): Promise<boolean> {
    if (this.#delivered.has(orderId)) return true;
    const stream = `${orderAggregate.category}-${orderId}`;
    for await (const event of this.store.readStream(stream, { backwards: true })) {
      if (event.type === PAID) return this.#look(orderId, event, 'PURCHASE_SUCCEEDED');
    }
    return false;
  }

  /** Those of the claims of a player that were not delivered. @throws Fault of the store. */
  async withoutClaims(player: string, claimIds: readonly string[]): Promise<ReadonlySet<string>> {
    const name = (claimId: string) => `${player} ${claimId}`;
    const left = new Set(claimIds.filter((claimId) => !this.#delivered.has(name(claimId))));
    const events = await this.#findClaims(player, left);
    await forEachConcurrently(events, LOOKUPS_AT_ONCE, async ([claimId, event]) => {
      if (await this.#look(name(claimId), event, 'FREE_ITEM_REDEEMED')) left.delete(claimId);
    });
    return left;
  }

  async #findClaims(
    player: string,
    claimIds: ReadonlySet<string>,
  ): Promise<readonly (readonly [claimId: string, RecordedEvent])[]> {
    const found = new Map<string, RecordedEvent>();
    if (claimIds.size === 0) return [];
    const stream = `${shopAggregate.category}-${player}`;
    for await (const event of this.store.readStream(stream, { backwards: true })) {
      if (event.type !== CLAIMED) continue;
      // The event's type determines its data, by the codec.
      const { claimId } = event.data as { readonly claimId: string };
      if (claimIds.has(claimId)) found.set(claimId, event);
      if (found.size === claimIds.size) break;
    }
    return [...found];
  }

  async #look(name: string, event: RecordedEvent, type: string): Promise<boolean> {
    const { appId, occurredAt } = event.metadata;
    try {
      const endpoints = await this.apps.listEndpoints(appId);
      const wanting = endpoints.filter((endpoint) => wantsMessage(endpoint, type, occurredAt));
      const ids = wanting.map(({ endpointId }) => endpointId);
      const haveEnded = await this.deliveries.haveEnded(event, ids);
      if (haveEnded) this.#delivered.set(name, true);
      return haveEnded;
    } catch (error) {
      warnSeldom(this.log, error, 'whether purchases were delivered is not known: they count');
      return false;
    }
  }
}
