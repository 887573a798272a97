import { Inject, Injectable } from '@nestjs/common';
import { idOf, type Position, type RecordedEvent } from '#domain/event';
import type { FeedItem, Partitions } from '#event-store';
import { type AppDirectory, type RunningEndpoint, wantsMessage } from '#tenancy';
import { CursorSet } from '../../redis/cursor-set.js';
import type { Planned } from '../../feed/event-consumer.js';
import { FeedCheckpoint } from '../../redis/feed-checkpoint.js';
import { inFlightMember } from '#worker-state';
import {
  ASIDE_OF_ENDPOINT,
  WINDOW_AT_LEAST_OF_PARTITION,
  WINDOW_OF_ENDPOINT,
} from '../../limits.js';
import { APPS, PARTITIONS } from '../../tokens.js';
import type { Delivery, ReadAgain } from '../send/outgoing-messages.js';
import { EndpointQueues } from '../queue/endpoint-queue.js';
import { isOfEndpoint, resentDeliveries } from '../queue/queued-delivery.js';
import type { OutgoingMessage } from '../send/message-planner.js';

/** The messages of events, given in the store's order. */
export type PlannedMessages = readonly Planned<readonly OutgoingMessage[]>[];

/** What of planned messages is in flight from now on. */
export interface WindowShare {
  /** With the apps that they are of. */
  readonly begin: readonly (readonly [delivery: Delivery, appId: string])[];
  /** Endpoints whose window is full lag behind from here. */
  readonly moves: Map<string, Position | null>;
}

/** The same of what was read again. */
export interface LagShare extends WindowShare {
  /** Endpoints of which nothing more begins until what comes next for them can be made. */
  readonly heldUp: readonly string[];
}

/**
 * How much of an endpoint's may be in flight at once (rules/webhooks 8). What is beyond that stays in the store,
 * and the endpoint has a cursor: after that position the store is read again for it.
 */
@Injectable()
export class DeliveryWindow {
  readonly #window: number;
  readonly #besideIt: number;

  constructor(
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'listEndpoints'>,
    private readonly cursors: CursorSet,
    private readonly queues: EndpointQueues,
    private readonly checkpoint: FeedCheckpoint,
    @Inject(PARTITIONS) { count }: Pick<Partitions, 'count'>,
  ) {
    const share = Math.floor(WINDOW_OF_ENDPOINT / count);
    this.#window = Math.max(WINDOW_AT_LEAST_OF_PARTITION, share);
    this.#besideIt = Math.ceil(ASIDE_OF_ENDPOINT / count);
  }

  /** Whether the store is worth reading for an endpoint: half of its window is empty. */
  hasRoom(endpointId: string): boolean {
    return this.#countWithin(endpointId) <= this.#window / 2;
  }

  /** @returns what begins of the feed's events; cursors stand before the rest. @throws Fault of Redis; Fenced. */
  async admit(planned: PlannedMessages): Promise<WindowShare['begin']> {
    const { begin, moves } = await this.divide(planned);
    await this.cursors.move(moves);
    return begin;
  }

  /** Divides what the feed gives into what begins, and what endpoints that lag behind are sent later. */
  async divide(planned: PlannedMessages): Promise<WindowShare> {
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
        // What lies before its cursor, or the checkpoint, was held back with its stream: nothing reads it again.
        const isOfFeed = cursor === undefined && event.position > known;
        const size = this.#countWithin(endpointId) + (added.get(endpointId) ?? 0);
        if (isOfFeed && size + wanted.length > this.#window) {
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
   * Divides what was read again for endpoints that lag behind. Each takes what it has room for, from its cursor.
   *
   * @param endpoints those that are read for, by their ids. One that is full is taken out: what is read after this
   *   is not what comes next for it.
   * @param upTo the store was read up to here.
   */
  catchUp(
    planned: readonly ReadAgain[],
    endpoints: Map<string, RunningEndpoint>,
    upTo: Position,
  ): LagShare {
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

  /** @returns what there is room for, and the index of the first event that there is none for. */
  #takeRoom(endpoint: RunningEndpoint, planned: readonly ReadAgain[]) {
    const wanted: Delivery[] = [];
    const size = this.#countWithin(endpoint.endpointId);
    for (const [index, { event, plan }] of planned.entries()) {
      const next =
        plan === null || 'undecodable' in event ? [] : wantedDeliveries(endpoint, event, plan);
      const isFull = size + wanted.length + next.length > this.#window;
      if (plan === null || isFull) return { wanted, full: index };
      wanted.push(...next);
    }
    return { wanted, full: undefined };
  }

  /** Of those in flight. What has stepped aside holds nothing back, while it is not too much of it. */
  #countWithin(endpointId: string): number {
    const queue = this.queues.find(endpointId);
    return queue === undefined ? 0 : queue.size - Math.min(queue.aside, this.#besideIt);
  }
}

/** Whom an event is about: one endpoint, or all of an app; undefined where it does not even say whose it is. */
export function findConcerned(event: FeedItem): string | undefined {
  if (isOfEndpoint(event)) return idOf(event.streamName);
  return 'undecodable' in event ? event.appId : event.metadata.appId;
}

/** Tests are not among them: they are in flight beside the window. */
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
