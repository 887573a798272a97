import { LRUCache } from 'lru-cache';
import type { CatalogFailureReason } from '#domain/catalog';
import { upTo } from '#platform';
import { APPS_REMEMBERED, RECORDED_AT_ONCE, RECORDED_EVERY_MS } from './limits.js';

interface Spent {
  /** How many records there is room for. */
  left: number;
  countedAtMs: number;
  /** Of each reason the reference that stands for those without a record. */
  readonly references: Map<CatalogFailureReason, string>;
}

/** How many failures of an app are recorded: a broken catalog under load must not flood the store (rules/catalog 5). */
export class RecordingBudget {
  readonly #spent = new LRUCache<string, Spent>(upTo(APPS_REMEMBERED));

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /**
   * The reference that a failure is shown with: its own where it is to be recorded, else that of the last one of its
   * reason. The first one of a reason is always recorded.
   */
  choose(appId: string, reason: CatalogFailureReason, own: string): string {
    const spent = this.#refill(appId);
    const standIn = spent.references.get(reason);
    if (standIn !== undefined && spent.left < 1) return standIn;
    spent.left = Math.max(0, spent.left - 1);
    spent.references.set(reason, own);
    return own;
  }

  /** The failure could not be recorded, and stands for no others. */
  forget(appId: string, reason: CatalogFailureReason, reference: string): void {
    const { references } = this.#refill(appId);
    if (references.get(reason) === reference) references.delete(reason);
  }

  #refill(appId: string): Spent {
    const nowMs = this.nowMs();
    const fresh = { left: RECORDED_AT_ONCE, countedAtMs: nowMs, references: new Map() };
    const spent: Spent = this.#spent.get(appId) ?? fresh;
    const grown = (nowMs - spent.countedAtMs) / RECORDED_EVERY_MS;
    spent.left = Math.min(RECORDED_AT_ONCE, spent.left + grown);
    spent.countedAtMs = nowMs;
    this.#spent.set(appId, spent);
    return spent;
  }
}
