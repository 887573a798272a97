import type { Redis } from 'ioredis';
import type { Instant, Position } from '#domain/event';
import type { RequestedPayment } from '#domain/payment';
import type { CreatedPlan } from '#domain/plan';
import type { StartedSubscription } from '#domain/subscription';
import {
  payments,
  paymentList,
  type PlanFilter,
  plans,
  planList,
  planWithCode,
  type Projection,
  projections,
  type SubscriptionFilter,
  subscriptions,
  subscriptionList,
} from '#projections';
import { redisReply } from '#redis';
import { assertLive, decodeCheckpoint } from './checkpoint.js';
import { decodeDocument, type Document } from './document.js';
import { type DueSubscription, readDue } from './due.js';
import { type PartitionKeys, createNamespace } from './keys.js';
import { type DocumentPage, type DocumentPageOptions, readPage } from './document-page.js';
import type { ParkedStream } from './parked-streams.js';
import { connectForReading } from './redis.js';
import { createWatermark } from './watermark.js';

/**
 * The questions that the read models answer. Every call is bounded in time and throws Fault
 * `unavailable` (retryable) when Redis is out of reach, and while the read models are being rebuilt.
 * Nothing is filtered by tenant: who asks by id compares `state.appId`.
 */
export interface ReadModels {
  subscription(id: string): Promise<Document<StartedSubscription> | undefined>;
  plan(id: string): Promise<Document<CreatedPlan> | undefined>;
  planByCode(
    appId: string,
    segmentId: string,
    code: string,
  ): Promise<Document<CreatedPlan> | undefined>;
  payment(id: string): Promise<Document<RequestedPayment> | undefined>;

  /** Newest first; without a segment, of all segments; without a status, in any. */
  plans(
    appId: string,
    options: PlanFilter & DocumentPageOptions,
  ): Promise<DocumentPage<CreatedPlan>>;
  /** Newest first; without a player, of all players of the app. */
  subscriptions(
    options: { readonly appId: string } & SubscriptionFilter & DocumentPageOptions,
  ): Promise<DocumentPage<StartedSubscription>>;
  /** Newest first. */
  paymentsOf(
    subscriptionId: string,
    options: DocumentPageOptions,
  ): Promise<DocumentPage<RequestedPayment>>;
  /** What is due by `until`, the longest overdue first; at most `limit`. */
  due(
    appId: string,
    options: { readonly until: Instant; readonly limit: number },
  ): Promise<DueSubscription[]>;

  /** Everything up to this position is in the read models; sorts before all positions when nothing is. */
  watermark(): Promise<Position>;
  /** Resolves when the read models have reached a position. @throws Fault `unavailable` in time-out. */
  waitFor(position: Position, options: { readonly timeoutMs: number }): Promise<void>;
  /** The streams whose read model is not up to date, since an event could not be applied. */
  parked(): Promise<ParkedStream[]>;
  /** Whether Redis answers. @throws Fault `unavailable`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

interface ReadModelsOptions {
  /** The address of Redis. */
  readonly redis: string;
  readonly partitionCount?: number;
  /** Whose documents to read: this release's, unless given. */
  readonly projections?: readonly Projection<unknown>[];
}

/** Connects to the read models. It does not wait for Redis: calls do, within their limit. */
export function createReadModels(options: ReadModelsOptions): ReadModels {
  const redis = connectForReading(options.redis);
  const namespace = createNamespace(options.projections ?? projections, options.partitionCount);
  const watermark = createWatermark(redis, namespace);
  const { partitions } = namespace;
  const findIn = <State>(where: readonly PartitionKeys[], projection: string, id: string) =>
    findDocument<State>(redis, where, projection, id);
  return {
    subscription: (id) => findIn(partitions, subscriptions.name, id),
    plan: (id) => findIn(partitions, plans.name, id),
    payment: (id) => findIn(partitions, payments.name, id),
    planByCode: async (appId, segmentId, code) => {
      const index = planWithCode(appId, segmentId, code);
      const list = { projection: plans.name, index, limit: 1 };
      const page = await readPage<CreatedPlan>(redis, [namespace.partitionOf(appId)], list);
      return page.documents[0];
    },
    plans: (appId, { status, segmentId, limit, after }) => {
      const index = planList(appId, { status, segmentId });
      const list = { projection: plans.name, index, limit, after };
      return readPage(redis, [namespace.partitionOf(appId)], list);
    },
    subscriptions: ({ appId, player, status, limit, after }) => {
      const index = subscriptionList(appId, { player, status });
      const list = { projection: subscriptions.name, index, limit, after };
      const isOfPlayer = player !== undefined;
      const where = isOfPlayer ? [namespace.partitionOf(appId, player)] : partitions;
      return readPage(redis, where, list);
    },
    paymentsOf: (subscriptionId, { limit, after }) => {
      const index = paymentList(subscriptionId);
      return readPage(redis, partitions, { projection: payments.name, index, limit, after });
    },
    due: (appId, query) => readDue(redis, namespace, appId, query),
    watermark: () => watermark.read(),
    waitFor: (position, limit) => watermark.waitFor(position, limit),
    parked: async () => {
      const stored = await Promise.all(
        partitions.map((partition) => redisReply(redis.hvals(partition.parked))),
      );
      // The projector wrote them as such.
      return stored.flat().map((text) => JSON.parse(text) as ParkedStream);
    },
    ping: async () => {
      await redisReply(redis.ping());
    },
    close: async () => {
      watermark.close();
      redis.disconnect();
    },
  };
}

/** An id does not tell its partition, so all are asked, in one go. */
async function findDocument<State>(
  redis: Redis,
  partitions: readonly PartitionKeys[],
  projection: string,
  id: string,
): Promise<Document<State> | undefined> {
  const found = await Promise.all(
    partitions.map(async (partition) => {
      const reply = await redisReply(
        redis.mget(partition.document(projection, id), partition.checkpoint),
      );
      assertLive(decodeCheckpoint(reply[1]));
      return reply[0];
    }),
  );
  const stored = found.find((text) => typeof text === 'string');
  if (typeof stored !== 'string') return undefined;
  const document = decodeDocument<State | { status: 'none' }>(stored);
  return isThere(document) ? document : undefined;
}

/** A stream may hold nothing but the note of a command that changed nothing. */
function isThere<State>(
  document: Document<State | { status: 'none' }>,
): document is Document<State> {
  return (document.state as { status: string }).status !== 'none';
}
