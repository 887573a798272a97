import { LRUCache } from 'lru-cache';
import { categoryOf, idOf } from '#domain/event';
import { type TaxRates, taxRatesAggregate } from '#domain/pricing';
import type { CommandExecutor, FeedItem } from '#event-store';
import { upTo } from '#platform';
import { TAX_RATES_KEPT } from './limits.js';

/** Followed beside the events that are worked on. */
export const TAX_RATES_CATEGORY = taxRatesAggregate.category;

/**
 * The tax rates of apps, for events in the order of the log: read when they are first needed, and again where a change
 * of them has gone by. What was set before an event stands before it in the log, and so has gone by before the event
 * is worked on.
 */
export class TaxRatesInUse {
  readonly #loaded = new LRUCache<string, Promise<TaxRates>>(upTo(TAX_RATES_KEPT));

  constructor(private readonly commands: Pick<CommandExecutor, 'load'>) {}

  /** @throws Fault of the store, or `undecodable`. */
  load(appId: string): Promise<TaxRates> {
    const known = this.#loaded.get(appId);
    if (known !== undefined) return known;
    const loading = this.commands.load(taxRatesAggregate, appId).then(({ state }) => state);
    this.#loaded.set(appId, loading);
    loading.catch(() => {
      if (this.#loaded.peek(appId) === loading) this.#loaded.delete(appId);
    });
    return loading;
  }

  /** Events that go by, before any of them is worked on. */
  note(items: readonly Pick<FeedItem, 'streamName'>[]): void {
    for (const { streamName } of items) {
      if (categoryOf(streamName) === TAX_RATES_CATEGORY) this.#loaded.delete(idOf(streamName));
    }
  }

  /** Following begins anew: what went by meanwhile is not known. */
  forget(): void {
    this.#loaded.clear();
  }
}
