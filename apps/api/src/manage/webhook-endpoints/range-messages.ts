import { Inject, Injectable } from '@nestjs/common';
import { addMilliseconds } from '#domain/calendar';
import type { Instant, Position, RecordedEvent } from '#domain/event';
import { coversEventType, type Resend, type ResentMessage } from '#domain/webhook-endpoint';
import { type EventStore, findPlacesOfTime, type FeedItem, StatesAtRevision } from '#event-store';
import { CLOCK, EVENT_STORE, Ledger } from '#nest';
import { type Clock, Fault, forEachConcurrently, groupBy } from '#platform';
import type { RunningEndpoint } from '#tenancy';
import { listMessages, neededStates, SENT_CATEGORIES } from '#webhooks';
import type { ResentRange } from './resend-plan.js';

/** Messages that one call names: some 200 bytes each, which are one append. */
const MESSAGES_AT_ONCE = 2_500;
/** A call reads for so long at most, and then returns the cursor of the next one. */
const READ_FOR_MS = 8_000;
const READ_LIMIT_MS = 12_000;
const BATCH = 500;
const STREAMS_AT_ONCE = 16;
const STATES_KEPT = 2_000;

export interface FoundInRange extends Resend {
  /** How much of the store was looked through, rounded down. */
  readonly progressPercent: number;
}

/** The requested messages, and the caller. */
interface RangeRequest {
  readonly endpoint: Pick<RunningEndpoint, 'appId' | 'eventTypes'>;
  readonly range: ResentRange;
  /** By the app's clock. */
  readonly now: Instant;
  /** The end of an earlier call. */
  readonly after: Position | undefined;
}

/**
 * The messages that an endpoint takes of the events of a time (rules/webhooks 13). The store is read for them, within a
 * bound, from its position at the time, by its time index (decision 0031).
 */
@Injectable()
export class RangeMessages {
  constructor(
    private readonly ledger: Ledger,
    @Inject(EVENT_STORE)
    private readonly store: Pick<EventStore, 'readStream' | 'subscribe' | 'headPosition'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** In the store's order, which is that of each subject. @throws Fault of the store. */
  async find(request: RangeRequest): Promise<FoundInRange> {
    const places = await this.findPlaces(request);
    const upTo = places.upTo ?? (await this.store.headPosition());
    const endsAtMs = performance.now() + READ_FOR_MS;
    const states = new StatesAtRevision(this.ledger, STATES_KEPT);
    const messages: ResentMessage[] = [];
    let reached = request.after ?? places.after;
    const end = (restAfter: Position | null): FoundInRange => ({
      ...{ messages, restAfter },
      progressPercent: restAfter === null ? 100 : computePercent(places.after, restAfter, upTo),
    });
    for await (const batch of this.readBatches(reached)) {
      for (const [event, named] of await this.nameAll(batch.events, request, states)) {
        if (messages.length + named.length > MESSAGES_AT_ONCE) {
          return end(reached);
        }
        messages.push(...named);
        reached = event.position;
      }
      reached = batch.upTo;
      if (reached >= upTo) return end(null);
      if (performance.now() >= endsAtMs) return end(reached);
    }
    return end(null);
  }

  /**
   * Events are dated by the app's clock. That of a test app may be ahead of the wall clock, by more and more: an
   * event was appended no later than its date, and no earlier than that by as much as the clock is ahead now.
   */
  private async findPlaces({ range: { since, until }, now }: RangeRequest) {
    const aheadMs = Math.max(0, Date.parse(now) - Date.parse(this.clock.now()));
    return findPlacesOfTime(this.store, addMilliseconds(since, -aheadMs), until);
  }

  /** All that there is behind a position. @throws Fault also where the store gives nothing in time. */
  private async *readBatches(after: Position) {
    const caughtUp = new AbortController();
    const limit = AbortSignal.timeout(READ_LIMIT_MS);
    yield* this.store.subscribe({
      ...{ after, categories: SENT_CATEGORIES, batchSize: BATCH, tellsEveryPosition: false },
      signal: AbortSignal.any([caughtUp.signal, limit]),
      onCaughtUp: () => caughtUp.abort(),
    });
    if (caughtUp.signal.aborted) return;
    throw new Fault('unavailable', 'the event store is slow to read', { retryable: true });
  }

  private async nameAll(
    items: readonly FeedItem[],
    request: RangeRequest,
    states: StatesAtRevision,
  ): Promise<(readonly [RecordedEvent, ResentMessage[]])[]> {
    const events = items.filter((item) => isOfRange(item, request));
    const named = new Map<RecordedEvent, ResentMessage[]>();
    const streams = groupBy(events, ({ streamName }) => streamName);
    await forEachConcurrently(streams, STREAMS_AT_ONCE, async (stream) => {
      for (const event of stream) named.set(event, await this.name(event, request, states));
    });
    return events.map((event) => [event, named.get(event) ?? []] as const);
  }

  /** None of a stream that cannot be folded by this release: it gives no messages either. */
  private async name(
    event: RecordedEvent,
    { endpoint, range }: RangeRequest,
    states: StatesAtRevision,
  ): Promise<ResentMessage[]> {
    const { streamName, revision } = event;
    const needed = neededStates(event);
    if (needed === undefined) return [];
    try {
      const state = needed.stream && (await states.stateAt(needed.stream, event));
      return listMessages(event, state)
        .filter(({ type }) => coversEventType(endpoint.eventTypes, type))
        .filter(({ type }) => range.types.length === 0 || coversEventType(range.types, type))
        .map(({ id: messageId }) => ({ streamName, revision, messageId }));
    } catch (error) {
      if (error instanceof Fault && !error.retryable) return [];
      throw error;
    }
  }
}

function isOfRange(item: FeedItem, { endpoint, range }: RangeRequest): item is RecordedEvent {
  if ('undecodable' in item) return false;
  const { appId, occurredAt } = item.metadata;
  return appId === endpoint.appId && range.since <= occurredAt && occurredAt < range.until;
}

function computePercent(from: Position, reached: Position, upTo: Position): number {
  const bytes = (position: Position) => Number(BigInt(position) - BigInt(from));
  return Math.min(100, Math.floor((100 * bytes(reached)) / Math.max(1, bytes(upTo))));
}
