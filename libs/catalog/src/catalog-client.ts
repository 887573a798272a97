import { LRUCache } from 'lru-cache';
import type { CreatedApp } from '#domain/app';
import type { Catalog, CatalogFailureReason } from '#domain/catalog';
import { assertDefect, type Log, warnSeldom } from '#platform';
import type { AppDirectory } from '#tenancy';
import type { CatalogAnswer } from './call-catalog.js';
import type { CatalogBreakers } from './catalog-breakers.js';
import type { AskedCatalog, CatalogCaller } from './catalog-caller.js';
import type { CatalogFailures } from './catalog-failures.js';
import { CallQueue } from './call-queue.js';
import { ANSWERS_KEPT, KEPT_MS } from './limits.js';
import { type CallFailure, failedCall, type ParsedCatalog } from './parse-catalog.js';
import { PlayerCalls } from './player-calls.js';
import { RecordingBudget } from './recording-budget.js';
import { newReference } from './reference.js';

/** Whose catalog is wanted, and how new it has to be. */
export interface WantedCatalogOf extends AskedCatalog {
  readonly appId: string;
  /** Whether an answer of a moment ago will not do: for checkouts and claims. */
  readonly fresh?: boolean;
}

/** A player is shown the reference, by which the operator finds the error. */
export interface CatalogFailure {
  readonly reference: string;
  readonly reason: CatalogFailureReason;
}

export type CatalogResult =
  | { readonly ok: true; readonly catalog: Catalog }
  | { readonly ok: false; readonly failure: CatalogFailure };

interface CatalogClientOptions {
  readonly apps: Pick<AppDirectory, 'find'>;
  readonly caller: Pick<CatalogCaller, 'call'>;
  readonly breakers: Pick<CatalogBreakers, 'run'>;
  readonly failures: Pick<CatalogFailures, 'record'>;
  readonly log: Log;
}

/** The catalogs of players of all apps, by their studios' backends (rules/catalog 2 to 5). */
export class CatalogClient {
  readonly #calls = new PlayerCalls<CatalogResult>();
  readonly #kept = new LRUCache<string, Catalog>({
    ...{ max: ANSWERS_KEPT, ttl: KEPT_MS, ttlResolution: 0 },
  });
  readonly #queue = new CallQueue();
  readonly #budget = new RecordingBudget();

  constructor(private readonly options: CatalogClientOptions) {}

  /**
   * The catalog of a player, of at most 5 s ago, or a new one, if it has to be fresh. Those who ask for
   * the same one while it is asked for share the call.
   *
   * @throws Fault where our side failed: the store, the proxy, or this machine.
   */
  async fetch({ appId, fresh = false, ...asked }: WantedCatalogOf): Promise<CatalogResult> {
    const key = `${appId}\n${asked.language}\n${asked.playerId}`;
    const kept = fresh ? undefined : this.#kept.get(key);
    if (kept !== undefined) return { ok: true, catalog: kept };
    const player = `${appId}\n${asked.playerId}`;
    return this.#calls.run(player, key, fresh, () => this.#ask(appId, asked, key));
  }

  async #ask(appId: string, asked: AskedCatalog, key: string): Promise<CatalogResult> {
    const app = await this.options.apps.find(appId);
    assertDefect(app !== undefined, 'a catalog is asked for of an app that is there');
    const parsed = await this.#callInTurn(app, asked);
    if (parsed.ok) {
      this.#kept.set(key, parsed.catalog);
      return parsed;
    }
    const { reason } = parsed;
    return { ok: false, failure: { reason, reference: await this.#record(app, asked, parsed) } };
  }

  async #callInTurn(app: CreatedApp, asked: AskedCatalog): Promise<ParsedCatalog> {
    if (app.catalog === null) return failedCall('not_configured');
    const calling = await this.#queue.run(app.appId, () => this.#callUnlessOpen(app, asked));
    return calling ?? failedCall('too_many_calls');
  }

  async #callUnlessOpen(app: CreatedApp, asked: AskedCatalog): Promise<ParsedCatalog> {
    const { breakers, caller } = this.options;
    const answer = await breakers.run(app.appId, () => caller.call(app, asked), isAway);
    return answer === undefined ? failedCall('circuit_open') : answer.parsed;
  }

  /** Never throws: a failure that cannot be recorded is shown all the same. */
  async #record(app: CreatedApp, asked: AskedCatalog, failure: CallFailure): Promise<string> {
    const { appId } = app;
    const own = newReference();
    const reference = this.#budget.choose(appId, failure.reason, own);
    if (reference !== own) return reference;
    try {
      await this.options.failures.record(app, asked, failure, reference);
    } catch (error) {
      this.#budget.forget(appId, failure.reason, reference);
      warnSeldom(this.options.log, error, 'a failure of a catalog could not be recorded');
    }
    return reference;
  }
}

/** Of a backend that is away or has too much to do (RFC 9110, RFC 6585). */
const AWAY_STATUS: readonly number[] = [429, 502, 503, 504];
/** These concern one player, or say nothing of the backend. */
const NOT_AWAY: readonly CatalogFailureReason[] = [
  ...(['not_configured', 'unusable_player_id', 'forbidden_address'] as const),
  ...(['too_large', 'not_json', 'invalid_catalog'] as const),
];

/**
 * Whether an answer counts against the backend (rules/catalog 4). One that is bad for a player does not: who loads a
 * page again and again would close the shop to all others.
 */
function isAway({ parsed, answer }: CatalogAnswer): boolean {
  if (parsed.ok || NOT_AWAY.includes(parsed.reason)) return false;
  return parsed.reason !== 'status' || AWAY_STATUS.includes(answer?.status ?? 0);
}
