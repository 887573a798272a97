import type { Instant, Position } from '#domain/event';
import { Partitions } from '#event-store';
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
import { type Redis, redisReply } from '#redis';
import { assertLive, decodeCheckpoint } from './checkpoint.js';
import { decodeDocument, type Document } from './document.js';
import { type DueSubscription, readDue } from './due.js';
import { createNamespace, type LedgerIdentity, type PartitionKeys } from './keys.js';
import { type DocumentPage, type DocumentPageOptions, readPage } from './document-page.js';
import type { ParkedStream } from './parked-streams.js';
import { connectForReading } from './redis.js';
import { createWatermark, type WaitOptions } from './watermark.js';

/**
 * The questions that the read models answer. Every call is bounded in time and throws Fault
 * `unavailable` (retryable) when Redis is out of reach, and while the read models are being rebuilt.
 * Nothing is filtered by tenant: who asks by id compares `state.appId`.
 */
export interface ReadModels {
  /** Into which partitions the documents are divided. */
  readonly partitions: Partitions;

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
  /** What is due by `until`, the longest overdue first; at most `limit`; without a partition, in all. */
  due(
    appId: string,
    options: {
      readonly partition?: number | undefined;
      readonly until: Instant;
      readonly limit: number;
    },
  ): Promise<DueSubscription[]>;

  /**
   * Everything up to this position is in the partition, or in all of them; sorts before all positions
   * when nothing is.
   */
  watermark(partition?: number): Promise<Position>;
  /** Resolves when the partitions have reached a position. @throws Fault `unavailable` in time-out. */
  waitFor(position: Position, options: WaitOptions): Promise<void>;
  /** The streams whose read model is not up to date, since an event could not be applied. */
  parked(): Promise<ParkedStream[]>;
  /** Whether Redis answers. @throws Fault `unavailable`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

interface ReadModelsOptions {
  /** The address of Redis. */
  readonly redis: string;
  /** What `requireNamespace` said of the event store. */
  readonly identity: LedgerIdentity;
  /** Whose documents to read: this release's, unless given. */
  readonly projections?: readonly Projection<unknown>[];
}

/** Connects to the read models. It does not wait for Redis: calls do, within their limit. */
export function createReadModels(options: ReadModelsOptions): ReadModels {
  const { identity } = options;
  const redis = connectForReading(options.redis);
  const namespace = createNamespace(options.projections ?? projections, identity);
  const watermark = createWatermark(redis, namespace);
  const { partitions } = namespace;
  const find = <State>(projection: string, id: string) =>
    findDocument<State>(redis, namespace.find(id), projection, id);
  return {
    partitions: new Partitions(identity.partitions),
    subscription: (id) => find(subscriptions.name, id),
    plan: (id) => find(plans.name, id),
    payment: (id) => find(payments.name, id),
    planByCode: async (appId, segmentId, code) => {
      const index = planWithCode(appId, segmentId, code);
      const list = { projection: plans.name, index, limit: 1 };
      return (await readPage<CreatedPlan>(redis, [namespace.find(appId)], list)).documents[0];
    },
    plans: (appId, { status, segmentId, limit, after }) => {
      const index = planList(appId, { status, segmentId });
      const list = { projection: plans.name, index, limit, after };
      return readPage(redis, [namespace.find(appId)], list);
    },
    subscriptions: ({ appId, player, status, limit, after }) => {
      const index = subscriptionList(appId, { player, status });
      const list = { projection: subscriptions.name, index, limit, after };
      const where = player === undefined ? partitions : [namespace.findForPlayer(player)];
      return readPage(redis, where, list);
    },
    paymentsOf: (subscriptionId, { limit, after }) => {
      const list = { projection: payments.name, index: paymentList(subscriptionId), limit, after };
      return readPage(redis, [namespace.find(subscriptionId)], list);
    },
    due: (appId, { partition, ...query }) => {
      const isRead = ({ number }: PartitionKeys) => partition === undefined || number === partition;
      return readDue(redis, partitions.filter(isRead), appId, query);
    },
    watermark: (partition) => watermark.read(partition),
    waitFor: (position, waitOptions) => watermark.waitFor(position, waitOptions),
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

async function findDocument<State>(
  redis: Redis,
  partition: PartitionKeys,
  projection: string,
  id: string,
): Promise<Document<State> | undefined> {
  const reply = await redisReply(
    redis.mget(partition.document(projection, id), partition.checkpoint),
  );
  assertLive(decodeCheckpoint(reply[1]));
  const [stored] = reply;
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
