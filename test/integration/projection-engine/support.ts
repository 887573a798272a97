import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DomainEvent, EventMetadata, Instant, Position } from '#domain/event';
import { deriveId } from '#domain/ids';
import type { PaymentEvent } from '#domain/payment';
import type { PlanEvent } from '#domain/plan';
import { NO_BOUNDS } from '#domain/player-plans';
import type { SubscriptionEvent } from '#domain/subscription';
import { type RunningEventStore, startEventStore } from '#embedded-event-store';
import type { LedgerStore, NamespaceIdentity } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createLogger, type Log, metrics } from '#platform';
import { createReadModels, type Obstacle, type ReadModels, runProjector } from '#projection-engine';
import { eventTypesIn, type Projection } from '#projection-engine/define';
import { projections as allProjections } from '#projections';
import { checkForGate } from '#verification';
import { periodCharge } from '../../../libs/domain/src/payment/spec-support/period-charge.js';

/** Tests read their own words, not the log's. */
const silent: Log = createLogger('test', { level: 'silent' });

const money = (amountMinor: string) => ({ amountMinor, currency: 'USD' });

interface StoreOptions {
  readonly from?: string;
  /** Types of events that the client knows beside those of the projections. */
  readonly more?: readonly string[];
  readonly partitions?: number;
}

/** An event store of its own, with a client that knows the projections' events. */
export class TestStore {
  readonly client: LedgerStore;
  readonly dataDir: string;
  readonly #server: RunningEventStore;

  private constructor(
    server: RunningEventStore,
    client: LedgerStore,
    dataDir: string,
    readonly identity: NamespaceIdentity,
  ) {
    this.#server = server;
    this.dataDir = dataDir;
    this.client = client;
  }

  /** @param options `from`: the directory of another store, to begin with a copy of it. */
  static async start({ from, more = [], partitions = 1 }: StoreOptions = {}): Promise<TestStore> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'subledger-store-'));
    if (from !== undefined) await cp(from, dataDir, { recursive: true });
    const known = allProjections.flatMap(({ eventTypes }) => eventTypes);
    const knownTypes = [...known, ...eventTypesIn('projection'), ...more];
    const server = await startEventStore({ port: 0, dataDir });
    const client = connectEventStore(server.connectionString, { knownTypes });
    return new TestStore(server, client, dataDir, await client.namespaces.open(partitions));
  }

  get connectionString(): string {
    return this.#server.connectionString;
  }

  /** Appends events to a stream, whatever its revision. @returns the position of the last. */
  async append(
    streamName: string,
    events: readonly DomainEvent[],
    metadata: Partial<EventMetadata> = {},
  ): Promise<Position> {
    const toAppend = events.map(({ type, data }) => ({
      id: randomUUID(),
      type,
      data,
      metadata: { ...METADATA, ...metadata },
    }));
    return (await this.client.append(streamName, 'any', toAppend)).position;
  }

  /** Ends it, and keeps its data. */
  async halt(): Promise<void> {
    await this.client.dispose();
    await this.#server.stop();
  }

  async stop(): Promise<void> {
    await this.halt();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

const METADATA: EventMetadata = {
  $correlationId: 'request-1',
  actor: 'app',
  appId: 'app_1',
  player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
  environment: 'test',
  occurredAt: '2026-01-31T10:00:00.000Z',
};

interface RunningProjector {
  /** Rejects with the error that ended it. */
  readonly ended: Promise<void>;
  /** The read models answer. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** Tests wait for leases: they are looked at often, and last as long as usual. */
const LEASES = { lastsMs: 3_000, everyMs: 50 };

interface ProjectorOptions {
  readonly holder?: string;
  readonly client?: LedgerStore;
  readonly leases?: { readonly lastsMs: number; readonly everyMs: number };
  readonly log?: Log;
  readonly projections?: readonly Projection<unknown>[];
  readonly formerKeptMs?: number;
  readonly checkStreams?: typeof checkForGate;
  readonly aheadBelievedAfterMs?: number;
  readonly onObstacles?: (obstacles: readonly Obstacle[]) => void;
}

/** A projector. Resolves when the read models answer, or wait for an operator. */
export async function startProjector(
  store: TestStore,
  redis: string,
  { client = store.client, onObstacles, ...options }: ProjectorOptions = {},
): Promise<RunningProjector> {
  const stop = new AbortController();
  let onReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (onReady = resolve));
  let onHeld: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (onHeld = resolve));
  const ended = runProjector({
    store: client,
    identity: store.identity,
    redis,
    holder: `projector-${randomUUID()}`,
    signal: stop.signal,
    log: silent,
    onReady,
    onObstacles: (obstacles) => {
      onObstacles?.(obstacles);
      onHeld();
    },
    leases: LEASES,
    projections: allProjections,
    checkStreams: checkForGate,
    formerKeptMs: 86_400_000,
    ...options,
  });
  ended.catch(() => undefined);
  await Promise.race([ready, held, ended]);
  return {
    ended,
    ready,
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

/** The read models of a store, as a program reads them. */
export function openReadModels(
  { identity }: Pick<TestStore, 'identity'>,
  redis: string,
  projections: readonly Projection<unknown>[] = allProjections,
): ReadModels {
  return createReadModels({ redis, identity, projections });
}

/**
 * The counts of this process's projectors so far: `events`, or writes that were `fenced`. Before the first one runs
 * there is no such metric.
 */
export async function readCount(what: 'events' | 'fenced'): Promise<number> {
  const shown = await metrics.getSingleMetric(`subledger_projector_${what}_total`)?.get();
  return shown?.values[0]?.value ?? 0;
}

/** An id in a bucket; the same name gives the same id. */
export function nameId(prefix: string, name: string, bucket: string): string {
  return deriveId(prefix, METADATA.occurredAt, bucket, name);
}

export const subscriptionCreated = (
  subscriptionId: string,
  createdAt: Instant = '2026-01-31T10:00:00.000Z',
  data: Partial<Extract<SubscriptionEvent, { type: 'subscription.created.v2' }>['data']> = {},
): SubscriptionEvent => ({
  type: 'subscription.created.v2',
  data: {
    subscriptionId,
    appId: 'app_1',
    player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
    planId: 'plan_1',
    price: money('999'),
    period: { unit: 'month', value: 1 },
    trial: null,
    paymentMethod: 'pm_card',
    checkoutLinkId: 'link_1',
    regionCode: 'US',
    personal: {},
    createdAt,
    billingAnchor: createdAt,
    currentPeriodEnd: '2026-02-28T10:00:00.000Z',
    trialEnd: null,
    initialPayment: { paymentId: 'pay_1', paymentRevision: 1 },
    ...data,
  },
});

export const subscriptionCanceled: SubscriptionEvent = {
  type: 'subscription.canceled.v1',
  data: { canceledAt: '2026-02-01T10:00:00.000Z', accessEndsAt: '2026-02-28T10:00:00.000Z' },
};

export const subscriptionReactivated: SubscriptionEvent = {
  type: 'subscription.reactivated.v1',
  data: { reactivatedAt: '2026-02-02T10:00:00.000Z' },
};

export const subscriptionExpired: SubscriptionEvent = {
  type: 'subscription.expired.v1',
  data: { cause: 'period_ended', expiredAt: '2026-02-28T10:00:00.000Z', canceledAt: null },
};

export const paymentRequested = (
  paymentId: string,
  subscriptionId: string,
  requestedAt: Instant,
  periodNumber = 2,
): PaymentEvent => ({
  type: 'payment.requested.v3',
  data: {
    paymentId,
    appId: 'app_1',
    player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
    checkoutLinkId: 'link_1',
    ...periodCharge({
      subscriptionId,
      amount: money('999'),
      start: requestedAt,
      number: periodNumber,
    }),
    paymentMethod: 'pm_card',
    personal: {},
    requestedAt,
  },
});

export const paymentCaptured: PaymentEvent = {
  type: 'payment.captured.v1',
  data: { capturedAt: '2026-03-01T00:00:01.000Z', paymentMethodSubType: 'visa', issuerBank: '' },
};

export const planCreated = (
  planId: string,
  code: string,
  createdAt: Instant = '2026-01-31T10:00:00.000Z',
  segmentId = 'default',
): PlanEvent => ({
  type: 'plan.created.v1',
  data: {
    planId,
    appId: 'app_1',
    segmentId,
    code,
    name: code,
    description: '',
    billingPeriod: { unit: 'month', value: 1 },
    prices: [money('999')],
    trial: null,
    benefitsJson: '{}',
    ...NO_BOUNDS,
    availableFrom: null,
    availableUntil: null,
    createdAt,
  },
});
