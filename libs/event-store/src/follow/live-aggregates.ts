import pLimit from 'p-limit';
import type { Aggregate } from '#domain/decider';
import { categoryOf, type Position } from '#domain/event';
import { assertDefect, Fault, type Log, withTimeLimit } from '#platform';
import { findLastPosition, runCatchUp } from './catch-up.js';
import type { CommandExecutor } from '../commands/command-executor.js';
import type { EventStore, FeedItem } from '../streams/event-store.js';
import {
  LIVE_READ_ATTEMPTS,
  LIVE_READS,
  LIVE_READS_WAITING,
  START_LIMIT_MS,
} from '../streams/limits.js';
import {
  type AnyLiveDecider,
  type LiveDecider,
  type LiveState,
  type LiveStateLimits,
  LiveStates,
  type Reading,
} from './live-states.js';
import { Progress } from './progress.js';
import { UndecodableEvent } from '../streams/undecodable.js';

/** The functions of an aggregate that fold its state. */
export interface LiveAggregate<State> {
  readonly category: string;
  readonly decider: LiveDecider<State>;
}

export interface LiveAggregatesOptions {
  readonly store: EventStore;
  readonly commands: Pick<CommandExecutor, 'load'>;
  /** All that are asked for; a question for another one is a defect. */
  readonly aggregates: readonly { readonly category: string; readonly decider: AnyLiveDecider }[];
  readonly limits?: LiveStateLimits;
  /** Ends the following. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * The states of aggregates in memory and current (rules/events 11): a stream is read when it is first asked for, kept
 * in a bounded cache, and taken on by following the store from its end at the process's start. A start reads nothing,
 * so it costs the same whatever the log holds. One subscription serves all the categories, since a connection carries
 * few of them.
 */
export class LiveAggregates {
  readonly progress = new Progress('following the event store');
  readonly categories: readonly string[];
  private readonly deciders: ReadonlyMap<string, AnyLiveDecider>;
  private readonly states: LiveStates;
  private readonly underWay = new Map<string, Promise<LiveState>>();
  private readonly listeners = new Set<(streamNames: ReadonlySet<string>) => void>();
  private readonly limit = pLimit(LIVE_READS);
  /** Up to here the store was looked at for events that had not come yet, and they have come since. */
  private lookedUpTo: Position;

  constructor(
    private readonly options: LiveAggregatesOptions,
    head: Position,
  ) {
    this.categories = options.aggregates.map(({ category }) => category);
    this.deciders = new Map(options.aggregates.map((each) => [each.category, each.decider]));
    this.states = new LiveStates(options.limits);
    this.progress.reach(head);
    this.lookedUpTo = head;
  }

  /** The state where memory has it, without waiting; undefined otherwise, which says nothing of the store. */
  recall<State>(aggregate: LiveAggregate<State>, id: string): LiveState<State> | undefined {
    // A stream's name begins with its aggregate's category, so the state is that aggregate's.
    return this.states.recall(this.streamName(aggregate, id)) as LiveState<State> | undefined;
  }

  /**
   * The present state, from memory, or else from the aggregate's own stream; questions for one
   * stream at once share a reading. A stream that does not exist has revision -1 and the initial
   * state, and is remembered as such.
   *
   * @throws Fault `unavailable` (retryable) where the store is out of reach, or too many streams
   *   wait to be read: it is never answered with an empty state then.
   */
  async get<State>(aggregate: LiveAggregate<State>, id: string): Promise<LiveState<State>> {
    const streamName = this.streamName(aggregate, id);
    const known = this.states.recall(streamName) ?? this.underWay.get(streamName);
    if (known !== undefined) return (await known) as LiveState<State>;
    const reading = this.read(aggregate, id).finally(() => this.underWay.delete(streamName));
    this.underWay.set(streamName, reading);
    return reading;
  }

  /** As the store has it now, where this process may be behind; memory has it then, too. @throws as `get`. */
  refresh<State>(aggregate: LiveAggregate<State>, id: string): Promise<LiveState<State>> {
    return this.read(aggregate, id);
  }

  apply(items: readonly FeedItem[], upTo: Position): void {
    for (const item of items) {
      const decider = this.deciders.get(categoryOf(item.streamName));
      if (decider !== undefined) this.states.apply(decider, item);
    }
    this.progress.reach(upTo);
    if (items.length === 0) return;
    const streamNames = new Set(items.map(({ streamName }) => streamName));
    for (const listener of this.listeners) listener(streamNames);
  }

  /**
   * Calls a listener after each batch of events with the streams that they are of, in memory or not.
   *
   * @returns the function that ends that.
   */
  onChange(listener: (streamNames: ReadonlySet<string>) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Resolves when memory shows everything of these categories up to the position of one of their
   * events. @throws Fault `unavailable` after the limit.
   */
  waitFor(position: Position, limitMs: number): Promise<void> {
    return this.progress.waitFor(position, limitMs);
  }

  /**
   * As `waitFor`, for the position of any event: the store is asked which events of these categories
   * there are before it. @throws Fault `unavailable` after the limit.
   */
  async catchUpTo(position: Position, limitMs: number): Promise<void> {
    const { progress, categories } = this;
    // The events of others bring no position: a stream that was looked at once is not looked at again.
    const after = later(progress.position, this.lookedUpTo);
    if (after >= position) return;
    const { store, signal } = this.options;
    const last = await findLastPosition(store, { categories, after, signal }, limitMs);
    if (last !== undefined) await progress.waitFor(last, limitMs);
  }

  /**
   * Resolves when memory shows everything of these categories that is in the store when this is called.
   *
   * @throws Fault `unavailable` after the limit, or where the store is out of reach.
   */
  async catchUp(limitMs: number): Promise<void> {
    const head = await this.options.store.headPosition();
    await this.catchUpTo(head, limitMs);
    this.lookedUpTo = later(head, this.lookedUpTo);
  }

  private async read<State>(aggregate: LiveAggregate<State>, id: string) {
    if (this.limit.pendingCount >= LIVE_READS_WAITING) {
      throw new Fault('unavailable', 'too many streams wait to be read', { retryable: true });
    }
    const streamName = this.streamName(aggregate, id);
    return this.limit(async () => {
      const reading = this.states.beginReading(streamName);
      try {
        return await this.readUntilKept(aggregate, id, reading);
      } finally {
        this.states.endReading(streamName, reading);
      }
    });
  }

  /** A read state is kept in the same step in which no event can go by. */
  private async readUntilKept<State>(
    aggregate: LiveAggregate<State>,
    id: string,
    reading: Reading,
  ): Promise<LiveState<State>> {
    const streamName = this.streamName(aggregate, id);
    for (let attempt = 0; attempt < LIVE_READ_ATTEMPTS; attempt += 1) {
      const read = await loadReadable(this.options.commands, aggregate, id);
      if (this.states.keep(streamName, reading, read)) return read;
    }
    throw new Fault('unavailable', `${streamName} was read behind its end`, { retryable: true });
  }

  private streamName({ category }: { readonly category: string }, id: string): string {
    assertDefect(this.deciders.has(category), `${category} is not followed`);
    return `${category}-${id}`;
  }
}

/**
 * Follows the store from its end on, until the signal is aborted.
 *
 * @throws Fault `unavailable` when the store does not answer within a minute.
 */
export async function openLiveAggregates(options: LiveAggregatesOptions): Promise<LiveAggregates> {
  const { store, signal, log } = options;
  // Looked up before the first reading: later events go by.
  const live = new LiveAggregates(options, await store.headPosition());
  const subscribed = new Promise<void>((resolve) => {
    void runCatchUp({
      store,
      categories: live.categories,
      loadCheckpoint: async () => live.progress.position,
      handleBatch: async (items, upTo) => live.apply(items, upTo),
      // Only positions of events of these categories are waited for, and those events bring them.
      tellsEveryPosition: false,
      onCaughtUp: () => resolve(),
      signal,
      log,
    });
  });
  await withTimeLimit(subscribed, START_LIMIT_MS, 'the event store, asked to be followed,');
  return live;
}

function later(one: Position, other: Position): Position {
  return one > other ? one : other;
}

/** The present state, or the one before the first event that this release cannot read. */
async function loadReadable<State>(
  commands: LiveAggregatesOptions['commands'],
  followed: LiveAggregate<State>,
  id: string,
): Promise<LiveState<State>> {
  // Loading folds and decides nothing.
  const aggregate = followed as Aggregate<State, never, never, never>;
  try {
    return { ...(await commands.load(aggregate, id)), isFrozen: false };
  } catch (error) {
    if (!(error instanceof UndecodableEvent)) throw error;
    const before = await commands.load(aggregate, id, { toRevision: error.item.revision - 1 });
    return { ...before, isFrozen: true };
  }
}
