import { Inject, Injectable } from '@nestjs/common';
import type { Position, RecordedEvent } from '#domain/event';
import { type EventBatch, type EventStore, type Partitions, START } from '#event-store';
import { type Log, sleepUntilTick, warnSeldom } from '#platform';
import type { Lease } from '#projection-engine';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { SENT_CATEGORIES } from '#webhooks';
import { CursorSet } from '../feed/cursor-set.js';
import { FeedCheckpoint } from '../feed/feed-checkpoint.js';
import { ParkingGate } from '../feed/parking-gate.js';
import { PartitionFeed } from '../feed/partition-feed.js';
import { LAG_LOOK_EVERY_MS, LAG_PAGE } from '../limits.js';
import { APPS, EVENT_STORE, LEASE, LOG, PARTITIONS } from '../tokens.js';
import { DeliveryIntake } from './delivery-intake.js';
import { DeliveryWindow } from './delivery-window.js';
import { asksForResend, ENDPOINT_CATEGORY, isOfEndpoint } from './endpoint-requests.js';
import { LagPlanner } from './lag-planner.js';

type Endpoints = Map<string, RunningEndpoint>;

/** Why reading ends where the store has nothing more. */
const ALL_READ = 'all is read';

/**
 * Reads the store again for endpoints that lag behind, as soon as they have room: for all of them together, from
 * the lowest of their cursors (rules/webhooks 8). One that has no room is not read for, so that it holds back no
 * other one.
 */
@Injectable()
export class LagReader {
  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'subscribe'>,
    @Inject(PARTITIONS) private readonly partitions: Partitions,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'findEndpoint'>,
    private readonly cursors: CursorSet,
    private readonly window: DeliveryWindow,
    private readonly planner: LagPlanner,
    private readonly intake: DeliveryIntake,
    private readonly feed: PartitionFeed,
    private readonly checkpoint: FeedCheckpoint,
    private readonly gate: ParkingGate,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (await sleepUntilTick(LAG_LOOK_EVERY_MS, signal)) {
      await this.catchUp(signal).catch((error: unknown) => {
        if (!signal.aborted) warnSeldom(this.log, error, 'endpoints that lag behind wait');
      });
    }
  }

  /** Reads on for those that have room, until none has, or none lags behind. @throws Fault; Fenced. */
  async catchUp(signal: AbortSignal): Promise<void> {
    const endpoints = await this.#findWithRoom();
    if (endpoints.size === 0) return;
    const until = this.checkpoint.position;
    const reading = new AbortController();
    const batches = this.store.subscribe({
      after: this.#findLowestCursor(endpoints),
      categories: [...SENT_CATEGORIES, ENDPOINT_CATEGORY],
      ...this.#ownBuckets(),
      signal: AbortSignal.any([signal, reading.signal]),
      batchSize: LAG_PAGE,
      tellsEveryPosition: false,
      // Nothing more may come by which to see that it is all.
      onCaughtUp: () => {
        reading.abort(ALL_READ);
      },
    });
    try {
      for await (const batch of batches) {
        await this.#take(batch, endpoints);
        if (endpoints.size === 0 || batch.upTo >= until) break;
      }
    } finally {
      reading.abort();
    }
    if (reading.signal.reason === ALL_READ)
      await this.#take({ events: [], upTo: until }, endpoints);
  }

  #findLowestCursor(endpoints: Endpoints): Position {
    const [lowest = START] = [...endpoints.keys()]
      .map((id) => this.cursors.all.get(id) ?? START)
      .sort();
    return lowest;
  }

  async #take({ events, upTo }: EventBatch, endpoints: Endpoints): Promise<void> {
    const apps = new Set([...endpoints.values()].map(({ appId }) => appId));
    const own: RecordedEvent[] = [];
    for (const event of events) {
      // What a parked stream holds back is begun when the stream goes on.
      if ('undecodable' in event || this.gate.isHeld(event)) continue;
      // Of an endpoint's own events, what is asked for again alone waits for room.
      if (isOfEndpoint(event) && !asksForResend(event)) continue;
      if (apps.has(event.metadata.appId)) own.push(event);
    }
    const planned = await this.planner.plan(own);
    await this.feed.exclusively(async () => {
      const { begin, moves } = this.window.catchUp(planned, endpoints, upTo);
      await this.intake.begin(begin);
      // Where the feed has not been, it gives everything itself.
      const { position } = this.checkpoint;
      for (const [id, after] of moves) if ((after ?? '') >= position) moves.set(id, null);
      await this.cursors.move(moves);
    });
  }

  /** Endpoints that are gone lag behind no more. */
  async #findWithRoom(): Promise<Endpoints> {
    const found = new Map<string, RunningEndpoint>();
    for (const endpointId of this.cursors.all.keys()) {
      if (!this.window.hasRoom(endpointId)) continue;
      const endpoint = await this.apps.findEndpoint(endpointId);
      if (endpoint !== undefined) found.set(endpointId, endpoint);
      else await this.cursors.move(new Map([[endpointId, null]]));
    }
    return found;
  }

  #ownBuckets() {
    const buckets = this.partitions.rangesFor([this.lease.partition]);
    return buckets === undefined ? {} : { buckets };
  }
}
