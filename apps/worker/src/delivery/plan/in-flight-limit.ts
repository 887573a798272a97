import { Inject, Injectable } from '@nestjs/common';
import { idOf, type Position, type RecordedEvent } from '#domain/event';
import type { FeedItem, Partitions } from '#event-store';
import { type AppDirectory, type RunningEndpoint, wantsMessage } from '#tenancy';
import { CursorSet } from '../../redis/cursor-set.js';
import type { Planned } from '../../feed/event-consumer.js';
import { FeedCheckpoint } from '../../redis/feed-checkpoint.js';
import { inFlightMember } from '#worker-state';
import { IN_FLIGHT_AT_LEAST_OF_PARTITION, IN_FLIGHT_OF_ENDPOINT } from '../../limits.js';
import { APPS, PARTITIONS } from '../../tokens.js';
import type { Delivery, ReadAgain } from '../send/outgoing-messages.js';
import { EndpointQueues } from '../queue/endpoint-queue.js';
import { isOfEndpoint, resentDeliveries } from '../queue/queued-delivery.js';
import type { OutgoingMessage } from '../send/message-planner.js';

/**
 * So many times the in-flight limit, deferred deliveries do not count against it: those that a receiver refuses for days
 * would fill it, and hold back those that it takes.
 */
const DEFERRED_TO_LIMIT = 9;

/** The messages of events, given in the store's order. */
export type PlannedMessages = readonly Planned<readonly OutgoingMessage[]>[];

/** The planned messages that are in flight from now on. */
export interface InFlightShare {
  /** With the apps that they are of. */
  readonly begin: readonly (readonly [delivery: Delivery, appId: string])[];
  /** Endpoints whose in-flight limit is reached are backlogged from here. */
  readonly moves: Map<string, Position | null>;
}

/** The same of messages that were read again. */
export interface BacklogShare extends InFlightShare {
  /** Endpoints of which nothing more begins until their next message can be made. */
  readonly heldUp: readonly string[];
}

/**
 * How much of an endpoint's may be in flight at once (rules/webhooks 8). Messages beyond that stay in the store, and
 * the endpoint has a cursor: after that position the store is read again for it.
 */
@Injectable()
export class InFlightLimit {
  readonly #limit: number;
  readonly #deferredAtMost: number;

  constructor(
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'listEndpoints'>,
    private readonly cursors: CursorSet,
    private readonly queues: EndpointQueues,
    private readonly checkpoint: FeedCheckpoint,
    @Inject(PARTITIONS) { count }: Pick<Partitions, 'count'>,
  ) {
    const share = Math.floor(IN_FLIGHT_OF_ENDPOINT / count);
    this.#limit = Math.max(IN_FLIGHT_AT_LEAST_OF_PARTITION, share);
    this.#deferredAtMost = Math.ceil((DEFERRED_TO_LIMIT * IN_FLIGHT_OF_ENDPOINT) / count);
  }

  /** Whether the store is worth reading for an endpoint: half of its in-flight limit is free. */
  hasRoom(endpointId: string): boolean {
    return this.#countWithin(endpointId) <= this.#limit / 2;
  }

  /**
   * @returns the begun messages of the feed's events; cursors stand before the rest. @throws Fault of Redis; Fenced.
   */
  async admit(planned: PlannedMessages): Promise<InFlightShare['begin']> {
    const { begin, moves } = await this.divide(planned);
    await this.cursors.move(moves);
    return begin;
  }

  /** Divides the feed's messages into those that begin, and those that backlogged endpoints are sent later. */
  async divide(planned: PlannedMessages): Promise<InFlightShare> {
    const moves = new Map<string, Position | null>();
    const begin: (readonly [Delivery, string])[] = [];
    const added = new Map<string, number>();
    const { position: known } = this.checkpoint;
    let before = known;
    const listed = new Map<string, readonly RunningEndpoint[]>();
    for (const { event, plan } of planned) {
      const { appId } = event.metadata;
      const endpoints = listed.get(appId) ?? (await this.apps.listEndpoints(appId));
      listed.set(appId, endpoints);
      for (const endpoint of endpoints) {
        const { endpointId } = endpoint;
        const wanted = wantedDeliveries(endpoint, event, plan);
        const cursor = moves.get(endpointId) ?? this.cursors.all.get(endpointId);
        if (wanted.length === 0 || (cursor !== undefined && event.position > cursor)) continue;
        // A message before its cursor, or the checkpoint, was held back with its stream: nothing reads it again.
        const isOfFeed = cursor === undefined && event.position > known;
        const size = this.#countWithin(endpointId) + (added.get(endpointId) ?? 0);
        if (isOfFeed && size + wanted.length > this.#limit) {
          moves.set(endpointId, before);
          continue;
        }
        added.set(endpointId, (added.get(endpointId) ?? 0) + wanted.length);
        begin.push(...wanted.map((delivery) => [delivery, appId] as const));
      }
      before = event.position;
    }
    return { begin, moves };
  }

  /**
   * Divides messages that were read again for backlogged endpoints. Each takes those that it has room for, from its
   * cursor.
   *
   * @param endpoints those that are read for, by their ids. One that is full is taken out: later messages of this read
   *   are not the next ones for it.
   * @param upTo the store was read up to here.
   */
  catchUp(
    planned: readonly ReadAgain[],
    endpoints: Map<string, RunningEndpoint>,
    upTo: Position,
  ): BacklogShare {
    const heldUp: string[] = [];
    const moves = new Map<string, Position | null>();
    const begin: (readonly [Delivery, string])[] = [];
    for (const endpoint of [...endpoints.values()]) {
      const { endpointId, appId } = endpoint;
      const cursor = this.cursors.all.get(endpointId);
      if (cursor === undefined) continue;
      const own = planned.filter(
        ({ event }) =>
          [endpointId, appId, undefined].includes(findConcerned(event)) && event.position > cursor,
      );
      const { wanted, full } = this.#takeRoom(endpoint, own);
      begin.push(...wanted.map((delivery) => [delivery, appId] as const));
      const reached = full === undefined ? upTo : (own[full - 1]?.event.position ?? cursor);
      if (full !== undefined) endpoints.delete(endpointId);
      if (full !== undefined && own[full]?.plan === null) heldUp.push(endpointId);
      if (reached > cursor) moves.set(endpointId, reached);
    }
    return { begin, moves, heldUp };
  }

  /** @returns the messages that there is room for, and the index of the first event that there is none for. */
  #takeRoom(endpoint: RunningEndpoint, planned: readonly ReadAgain[]) {
    const wanted: Delivery[] = [];
    const size = this.#countWithin(endpoint.endpointId);
    for (const [index, { event, plan }] of planned.entries()) {
      const next =
        plan === null || 'undecodable' in event ? [] : wantedDeliveries(endpoint, event, plan);
      const isFull = size + wanted.length + next.length > this.#limit;
      if (plan === null || isFull) return { wanted, full: index };
      wanted.push(...next);
    }
    return { wanted, full: undefined };
  }

  /** Of those in flight. Deferred deliveries hold nothing back, while there are not too many of them. */
  #countWithin(endpointId: string): number {
    const queue = this.queues.find(endpointId);
    return queue === undefined ? 0 : queue.size - Math.min(queue.deferred, this.#deferredAtMost);
  }
}

/** Whom an event is about: one endpoint, or all of an app; undefined where it does not even say whose it is. */
export function findConcerned(event: FeedItem): string | undefined {
  if (isOfEndpoint(event)) return idOf(event.streamName);
  return 'undecodable' in event ? event.appId : event.metadata.appId;
}

/** Tests are not among them: they do not count against the in-flight limit. */
function wantedDeliveries(
  endpoint: RunningEndpoint,
  event: RecordedEvent,
  messages: readonly OutgoingMessage[],
): Delivery[] {
  const { endpointId: target } = endpoint;
  if (isOfEndpoint(event)) {
    return resentDeliveries(event).filter((delivery) => delivery.target === target);
  }
  const { position, streamName, revision } = event;
  return messages.flatMap(({ type, id: messageId }, index) => {
    if (!wantsMessage(endpoint, type, event.metadata.occurredAt)) return [];
    const member = inFlightMember(event, target, messageId, index);
    return [{ member, position, target, streamName, revision, messageId }];
  });
}
