import type { Position, RecordedEvent } from '#domain/event';
import { type EventStore, type FeedItem, runCatchUp, UndecodableEvent } from '#event-store';
import {
  Fault,
  forEachConcurrently,
  groupBy,
  type Log,
  sleepUnlessAborted,
  wallClock,
} from '#platform';
import type { AppDirectory } from '#tenancy';
import {
  DIRECTORY_LIMIT_MS,
  EFFECTS_AT_ONCE,
  IDLE_CHECKPOINT_EVERY_MS,
  LOSS_CHECK_EVERY_MS,
} from '../limits.js';
import { reactorLag } from '../metrics.js';
import type { ReactContext } from '../processes/react.js';
import type { Outbox } from '../delivery/outbox.js';
import type { Checkpoint } from './checkpoint.js';
import type { Effects, PoisonGate } from '../processes/step-executor.js';
import type { Notices } from './progress-notifier.js';
import type { ParkedStreams } from './parked-streams.js';
import { prepare, type Prepared, REACTED_CATEGORIES } from './prepare.js';
import type { Recovery } from './recovery.js';

export interface ReactorParts {
  readonly store: EventStore;
  readonly apps: Pick<AppDirectory, 'waitFor'>;
  readonly context: ReactContext;
  readonly outbox: Outbox;
  readonly effects: Effects;
  readonly checkpoint: Checkpoint;
  readonly recovery: Recovery;
  readonly parked: ParkedStreams;
  readonly notices: Notices;
  readonly log: Log;
}

/**
 * The one road out for side effects (architecture, rules 3 and 4): every event becomes the webhook
 * messages and process steps that follow from it, at least once, in order. The checkpoint moves when
 * the effects of a batch are durable: jobs are in Redis, commands are events.
 */
export class Reactor {
  readonly #parts: ReactorParts;
  #lastEventAt: Position = '';
  #checkpointedAtMs = 0;

  constructor(parts: ReactorParts) {
    this.#parts = parts;
  }

  /** The last event that was worked on. A mark is worth writing only when there is a new one. */
  get lastEventAt(): Position {
    return this.#lastEventAt;
  }

  /** Runs until the signal is aborted; never throws. `onResumed` may be called more than once. */
  async run(signal: AbortSignal, onResumed: () => void): Promise<void> {
    const { store, log, recovery, notices } = this.#parts;
    while (!signal.aborted) {
      const round = new AbortController();
      const roundSignal = AbortSignal.any([signal, round.signal]);
      const watching = this.#watchForLoss(roundSignal, () => round.abort());
      await runCatchUp({
        store,
        prefixes: REACTED_CATEGORIES.map((category) => `${category}-`),
        loadCheckpoint: async () => {
          const position = await recovery.resume(this.#work);
          // Where this is the end of the store, no batch comes that would tell it.
          notices.workedOff([], position);
          onResumed();
          return position;
        },
        handleBatch: (items, upTo) => this.#handleBatch(items, upTo),
        signal: roundSignal,
        log,
      });
      round.abort();
      await watching;
    }
  }

  /** Redis may lose its memory while no event goes by: then nobody else would notice. */
  async #watchForLoss(signal: AbortSignal, onLoss: () => void): Promise<void> {
    const { checkpoint, parked, log } = this.#parts;
    while (await sleepUnlessAborted(LOSS_CHECK_EVERY_MS, signal)) {
      try {
        await parked.load();
        if (await checkpoint.isKept()) continue;
        log.warn('Redis has lost the checkpoint of the reactor');
        onLoss();
        return;
      } catch (error) {
        log.debug({ err: error }, 'Redis could not be asked for the checkpoint');
      }
    }
  }

  async #handleBatch(items: readonly FeedItem[], upTo: Position): Promise<void> {
    const { apps, notices, checkpoint } = this.#parts;
    const events: RecordedEvent[] = [];
    for (const item of items) if (await this.#isLive(item)) events.push(item as RecordedEvent);
    if (events.length > 0) {
      // An endpoint or an app that is older than an event must be known when the event is worked on.
      await apps.waitFor(upTo, DIRECTORY_LIMIT_MS);
      await this.#work(events);
    }
    const nowMs = Date.now();
    if (items.length > 0 || nowMs - this.#checkpointedAtMs > IDLE_CHECKPOINT_EVERY_MS) {
      await checkpoint.advance(upTo);
      this.#checkpointedAtMs = nowMs;
    }
    this.#lastEventAt = items.at(-1)?.position ?? this.#lastEventAt;
    notices.workedOff(events, upTo);
    reactorLag.set(lagSeconds(events));
  }

  /** Does what follows from these events; they are in the store's order. */
  readonly #work = async (events: readonly RecordedEvent[]): Promise<void> => {
    const { outbox, effects } = this.#parts;
    const prepared = await this.#prepareAll(events);
    const messages = prepared.flatMap((item) => item.messages);
    await Promise.all([outbox.enqueue(messages), effects.run(prepared, this.#gate)]);
  };

  async #prepareAll(events: readonly RecordedEvent[]): Promise<Prepared[]> {
    const prepared: Prepared[] = [];
    const streams = groupBy(events, ({ streamName }) => streamName);
    await forEachConcurrently(streams, EFFECTS_AT_ONCE, async (ofStream) => {
      for (const event of ofStream) {
        if (this.#gate.isHeld(event)) continue;
        await prepare(event, this.#parts.context).then(
          (item) => void prepared.push(item),
          (error: unknown) => this.#gate.poison(event, error),
        );
      }
    });
    return prepared.sort((a, b) => (a.event.position < b.event.position ? -1 : 1));
  }

  async #isLive(item: FeedItem): Promise<boolean> {
    const { parked } = this.#parts;
    if ('undecodable' in item) await parked.park(item, new UndecodableEvent(item));
    return !parked.has(item.streamName);
  }

  readonly #gate: PoisonGate = {
    isHeld: ({ streamName }) => this.#parts.parked.has(streamName),
    poison: async (event, error) => {
      // The world failed: the whole batch is tried again. What can never succeed is poison.
      if (error instanceof Fault && error.retryable) throw error;
      await this.#parts.parked.park(event, error);
    },
  };
}

/** In an app with a test clock an event may lie in the future; that is no lag. */
function lagSeconds(events: readonly RecordedEvent[]): number {
  const last = events.at(-1);
  if (last === undefined) return 0;
  const lagMs = Date.parse(wallClock.now()) - Date.parse(last.metadata.occurredAt);
  return Math.max(0, lagMs / 1000);
}
