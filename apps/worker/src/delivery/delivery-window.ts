import { Inject, Injectable } from '@nestjs/common';
import type { Position, RecordedEvent } from '#domain/event';
import type { Partitions } from '#event-store';
import { type AppDirectory, type RunningEndpoint, wantsMessage } from '#tenancy';
import { CursorSet } from '../feed/cursor-set.js';
import type { Planned } from '../feed/event-consumer.js';
import { FeedCheckpoint } from '../feed/feed-checkpoint.js';
import { inFlightMember } from '#checkpoint-backup';
import { WINDOW_AT_LEAST_OF_PARTITION, WINDOW_OF_ENDPOINT } from '../limits.js';
import { APPS, PARTITIONS } from '../tokens.js';
import type { Delivery } from './endpoint-queue.js';
import { EndpointQueues } from './endpoint-queues.js';
import { isOfEndpoint, resentDeliveries } from './endpoint-requests.js';
import type { OutgoingMessage } from './outgoing-message.js';

/** The messages of events, given in the store's order. */
export type PlannedMessages = readonly Planned<readonly OutgoingMessage[]>[];

/** Events that were read again; null where an event's messages cannot be made now. */
export type ReadAgain = readonly Planned<readonly OutgoingMessage[] | null>[];

/** What of planned messages is in flight from now on. */
export interface WindowShare {
  /** With the apps that they are of. */
  readonly begin: readonly (readonly [delivery: Delivery, appId: string])[];
  /** Endpoints whose window is full lag behind from here. */
  readonly moves: Map<string, Position | null>;
}

/**
 * How much of an endpoint's may be in flight at once (rules/webhooks 8). What is beyond that stays in the store,
 * and the endpoint has a cursor: after that position the store is read again for it.
 */
@Injectable()
export class DeliveryWindow {
  readonly #window: number;

  constructor(
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'listEndpoints'>,
    private readonly cursors: CursorSet,
    private readonly queues: EndpointQueues,
    private readonly checkpoint: FeedCheckpoint,
    @Inject(PARTITIONS) { count }: Pick<Partitions, 'count'>,
  ) {
    const share = Math.floor(WINDOW_OF_ENDPOINT / count);
    this.#window = Math.max(WINDOW_AT_LEAST_OF_PARTITION, share);
  }

  /** Whether the store is worth reading for an endpoint: half of its window is empty. */
  hasRoom(endpointId: string): boolean {
    return this.queues.size(endpointId) <= this.#window / 2;
  }

  /** Divides what the feed gives into what begins, and what endpoints that lag behind are sent later. */
  async divide(planned: PlannedMessages): Promise<WindowShare> {
    const moves = new Map<string, Position | null>();
    const begin: (readonly [Delivery, string])[] = [];
    const added = new Map<string, number>();
    let before = this.checkpoint.position;
    for (const { event, plan } of planned) {
      const { appId } = event.metadata;
      for (const endpoint of await this.apps.listEndpoints(appId)) {
        const { endpointId } = endpoint;
        const wanted = wantedDeliveries(endpoint, event, plan);
        const cursor = moves.get(endpointId) ?? this.cursors.all.get(endpointId);
        // What lies before its cursor was held back with its stream, and nothing reads it again.
        if (wanted.length === 0 || (cursor !== undefined && event.position > cursor)) continue;
        const size = this.queues.size(endpointId) + (added.get(endpointId) ?? 0);
        if (cursor === undefined && size + wanted.length > this.#window) {
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
    planned: ReadAgain,
    endpoints: Map<string, RunningEndpoint>,
    upTo: Position,
  ): WindowShare {
    const moves = new Map<string, Position | null>();
    const begin: (readonly [Delivery, string])[] = [];
    for (const endpoint of [...endpoints.values()]) {
      const { endpointId, appId } = endpoint;
      const cursor = this.cursors.all.get(endpointId);
      if (cursor === undefined) continue;
      const own = planned.filter(
        ({ event }) => event.metadata.appId === appId && event.position > cursor,
      );
      const { wanted, full } = this.#takeRoom(endpoint, own);
      begin.push(...wanted.map((delivery) => [delivery, appId] as const));
      const reached = full === undefined ? upTo : (own[full - 1]?.event.position ?? cursor);
      if (full !== undefined) endpoints.delete(endpointId);
      if (reached > cursor) moves.set(endpointId, reached);
    }
    return { begin, moves };
  }

  /** @returns what there is room for, and the index of the first event that there is none for. */
  #takeRoom(endpoint: RunningEndpoint, planned: ReadAgain) {
    const wanted: Delivery[] = [];
    const size = this.queues.size(endpoint.endpointId);
    for (const [index, { event, plan }] of planned.entries()) {
      const next = plan === null ? [] : wantedDeliveries(endpoint, event, plan);
      const isFull = size + wanted.length + next.length > this.#window;
      if (plan === null || isFull) return { wanted, full: index };
      wanted.push(...next);
    }
    return { wanted, full: undefined };
  }
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
