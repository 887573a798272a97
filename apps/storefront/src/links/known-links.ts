import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  type CheckoutLink,
  checkoutLinkAggregate,
  type CreatedCheckoutLink,
} from '#domain/checkout-link';
import { categoryOf, idOf } from '#domain/event';
import {
  type CreatedOrderLink,
  orderAggregate,
  type OrderLink,
  ORDER_LINK_PREFIX,
  orderLinkAggregate,
} from '#domain/order';
import { isId } from '#domain/ids';
import { type EventStore, type FeedItem, runCatchUp } from '#event-store';
import { ApiError, Ledger, notFound } from '#nest';
import type { Log } from '#platform';
import { BoundedLookups } from '#tenancy';
import { upTo } from '#platform';
import { LinkNews } from './link-news.js';

/** Links live for a day: these are more than are paid in one, in some 10 MB. */
const KNOWN_LINKS = 100_000;
/** Look-ups are counted by the second. */
const RETRY_MS = 1000;

const FOLLOWED = [checkoutLinkAggregate, orderLinkAggregate, orderAggregate];

interface FollowOptions {
  readonly store: EventStore;
  /** Ends the following when it is aborted. */
  readonly following: AbortController;
  readonly log: Log;
}

/**
 * Finds checkout links for callers without credentials, who can make ids up (rules/payments 5). Links
 * that were made since this process started, or found by it, are read whenever they are asked for; the
 * others within a bound.
 */
@Injectable()
export class KnownLinks {
  private readonly known = new LRUCache<string, true>(upTo(KNOWN_LINKS));
  private readonly lookups = new BoundedLookups(
    (linkId: string) => this.load(linkId),
    ({ status }) => status !== 'none',
  );

  constructor(
    private readonly ledger: Ledger,
    private readonly news: LinkNews,
  ) {}

  /**
   * Learns of links as they are made, so that a flood of made-up ids does not keep a buyer out.
   *
   * @returns when the place is known from which they are followed. @throws Fault `unavailable`.
   */
  async follow({ store, following, log }: FollowOptions): Promise<void> {
    let position = await store.headPosition();
    void runCatchUp({
      store,
      // An order's own events are the news of its link.
      categories: FOLLOWED.map(({ category }) => category),
      loadCheckpoint: async () => position,
      handleBatch: async (items, upTo) => {
        this.learn(items);
        for (const item of items) this.take(item);
        this.news.note(items);
        position = upTo;
      },
      tellsEveryPosition: false,
      signal: following.signal,
      log,
    });
  }

  /** Notes the links that events are about. */
  learn(items: readonly Pick<FeedItem, 'streamName'>[]): void {
    for (const { streamName } of items) this.known.set(idOf(streamName), true);
  }

  /** An event of a link or an order goes by: the next step on it need not read it. */
  take(item: FeedItem): void {
    const category = categoryOf(item.streamName);
    if (category === checkoutLinkAggregate.category)
      this.ledger.follow(checkoutLinkAggregate, item);
    else if (category === orderAggregate.category) this.ledger.follow(orderAggregate, item);
    else this.ledger.follow(orderLinkAggregate, item);
  }

  /** From memory, where the link's own events have gone by: its offer never changes. @throws as `find`. */
  async findSold(linkId: string): Promise<CreatedCheckoutLink> {
    const followed = this.ledger.recall(checkoutLinkAggregate, linkId)?.state;
    return followed === undefined || followed.status === 'none' ? this.find(linkId) : followed;
  }

  /**
   * A link that sells or changes a subscription.
   *
   * @throws ApiError as `findAny`, and for the link of an order.
   */
  async find(linkId: string): Promise<CreatedCheckoutLink> {
    const link = await this.findAny(linkId);
    if (link.status === 'created') throw notFound('checkout link', linkId);
    return link;
  }

  /** @throws ApiError where there is no such link, or where too many unknown ones are asked for. */
  async findAny(linkId: string): Promise<CreatedCheckoutLink | CreatedOrderLink> {
    if (!isId('cl', linkId) && !isId(ORDER_LINK_PREFIX, linkId))
      throw notFound('checkout link', linkId);
    const link = this.isKnown(linkId) ? await this.load(linkId) : await this.lookUp(linkId);
    if (link.status === 'none') throw notFound('checkout link', linkId);
    this.known.set(linkId, true);
    return link;
  }

  /** @throws ApiError where nothing is known of a link that may well be there. */
  private async lookUp(linkId: string): Promise<CheckoutLink | OrderLink> {
    const found = await this.lookups.find(linkId);
    if (found !== undefined) return found;
    // Beyond the bound, the look-up has waited: meanwhile the link's own event may have come.
    if (this.isKnown(linkId)) return this.load(linkId);
    throw tooManyUnknownLinks();
  }

  private isKnown(linkId: string): boolean {
    return this.known.get(linkId) === true;
  }

  private async load(linkId: string): Promise<CheckoutLink | OrderLink> {
    const isOfOrder = isId(ORDER_LINK_PREFIX, linkId);
    if (isOfOrder) return (await this.ledger.load(orderLinkAggregate, linkId)).state;
    return (await this.ledger.load(checkoutLinkAggregate, linkId)).state;
  }
}

function tooManyUnknownLinks(): ApiError {
  return new ApiError('RESOURCE_EXHAUSTED', {
    reason: 'TOO_MANY_UNKNOWN_LINKS',
    message:
      'Too many checkout links that are not known here are asked for. Try again in a second.',
    retryAfterMs: RETRY_MS,
  });
}
