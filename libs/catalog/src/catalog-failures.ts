import type { CreatedApp } from '#domain/app';
import { type CatalogCallFailed, CATALOG_FAILURES_CATEGORY } from '#domain/catalog';
import type { RecordedEvent } from '#domain/event';
import { type EventStore, eventsToAppend, type Lifetimes } from '#event-store';
import { type Clock, newUuid } from '#platform';
import type { AppSecrets, PersonalData } from '#tenancy';
import type { AskedCatalog } from './catalog-caller.js';
import { FAILURES_KEPT, FAILURES_KEPT_SECONDS } from './limits.js';
import type { CallFailure } from './parse-catalog.js';
import { normalizeReference } from './reference.js';

/** A failure as it lies in the store. */
export type RecordedFailure = Pick<RecordedEvent, 'revision'> & {
  readonly at: string;
  /** The pseudonym. */
  readonly player: string;
} & CatalogCallFailed['data'];

export interface FailurePage {
  /** Newest first. */
  readonly failures: readonly RecordedFailure[];
  /** The revision before which the next page goes on; undefined behind the last one. */
  readonly before: number | undefined;
}

interface PageOptions {
  /** This failure alone, as a player or an operator wrote it down. */
  readonly reference?: string | undefined;
  readonly limit: number;
  readonly before?: number | undefined;
}

interface CatalogFailuresOptions {
  readonly store: Pick<EventStore, 'append' | 'readStream'> & {
    readonly lifetimes: Pick<Lifetimes, 'limit'>;
  };
  readonly secrets: Pick<AppSecrets, 'pseudonym'>;
  readonly personalData: Pick<PersonalData, 'seal'>;
  /** The wall clock: calls are real ones, also those of an app with a test clock. */
  readonly clock: Clock;
}

/** The calls that failed of each app, for a week (rules/catalog 5). */
export class CatalogFailures {
  constructor(private readonly options: CatalogFailuresOptions) {}

  /** @param reference by which the failure is found. @throws Fault of the store. */
  async record(
    app: CreatedApp,
    { playerId, language }: AskedCatalog,
    { reason, violations, violationCount }: CallFailure,
    reference: string,
  ): Promise<void> {
    const { store, secrets, personalData, clock } = this.options;
    const { appId, environment } = app;
    const player = secrets.pseudonym(app, playerId);
    const correlationId = newUuid();
    const context = { appId, environment, actor: 'process:catalog', correlationId };
    const act = { ...context, player, now: clock.now() };
    // The studio's name of the player is known by the player's own stream, and stands in no failure.
    await personalData.seal(act, playerId, {});
    const data = { reference, reason, language, violations, violationCount };
    const event: CatalogCallFailed = { type: 'catalog.call_failed.v1', data };
    const stream = failureStream(appId);
    const lifetime = { maxAgeSeconds: FAILURES_KEPT_SECONDS, maxCount: FAILURES_KEPT };
    await store.lifetimes.limit(stream, lifetime);
    await store.append(stream, 'any', eventsToAppend([event], act, NO_EVENT_BEFORE));
  }

  /** @throws Fault of the store; UndecodableEvent. */
  async readPage(appId: string, { reference, limit, before }: PageOptions): Promise<FailurePage> {
    if (before !== undefined && before <= 0) return { failures: [], before: undefined };
    const wanted = reference === undefined ? undefined : normalizeReference(reference);
    const read = { backwards: true, ...(before !== undefined && { fromRevision: before - 1 }) };
    // One is looked for among all that are kept.
    const maxCount = wanted === undefined ? limit + 1 : FAILURES_KEPT;
    const failures: RecordedFailure[] = [];
    for await (const event of this.options.store.readStream(failureStream(appId), {
      ...read,
      maxCount,
    })) {
      const failure = readFailure(event);
      if (wanted === undefined || failure.reference === wanted) failures.push(failure);
      if (failure.reference === wanted) break;
    }
    const shown = failures.slice(0, limit);
    const hasMore = failures.length > limit;
    return { failures: shown, before: hasMore ? shown.at(-1)?.revision : undefined };
  }
}

/** Failures have no order in time among them: several processes record them. */
const NO_EVENT_BEFORE = '';

function failureStream(appId: string): string {
  return `${CATALOG_FAILURES_CATEGORY}-${appId}`;
}

function readFailure({ data, metadata, revision }: RecordedEvent): RecordedFailure {
  const { occurredAt: at, player = '' } = metadata;
  // A stream of this category carries no other event.
  return { ...(data as CatalogCallFailed['data']), at, player, revision };
}
