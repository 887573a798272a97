import { Injectable } from '@nestjs/common';
import { idOf } from '#domain/event';
import type { FeedItem } from '#event-store';

/** Between a click and its outcome a link has these; all others are news to those who wait for one. */
const NO_NEWS: ReadonlySet<string> = new Set([
  'checkout_link.attempted.v1',
  'checkout_link.claim_granted.v1',
  'checkout_link.created.v2',
  'checkout_link.paid.v1',
  'order.attempted.v1',
  'order.created.v1',
]);

/** Tells those who wait for the outcome of a checkout link that there may be one, as its events go by. */
@Injectable()
export class LinkNews {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Notes the events of links that go by. */
  note(items: readonly Pick<FeedItem, 'streamName' | 'type'>[]): void {
    for (const { streamName, type } of items) {
      if (NO_NEWS.has(type)) continue;
      for (const tell of this.#waiting.get(idOf(streamName)) ?? []) tell();
    }
  }

  /** Calls back with each news of a link. @returns the function that ends that. */
  subscribe(linkId: string, tell: () => void): () => void {
    const tellers = this.#waiting.get(linkId) ?? new Set();
    this.#waiting.set(linkId, tellers);
    // A function of its own for each: the same one may be given twice.
    const own = () => tell();
    tellers.add(own);
    return () => {
      tellers.delete(own);
      if (tellers.size === 0 && this.#waiting.get(linkId) === tellers) this.#waiting.delete(linkId);
    };
  }
}
