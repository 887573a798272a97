import { Inject, Injectable } from '@nestjs/common';
import { categoryOf, idOf, type RecordedEvent } from '#domain/event';
import { type Subscription, subscriptionAggregate } from '#domain/subscription';
import type { Followed, Partitions } from '#event-store';
import { type Log, warnSeldom } from '#platform';
import { subscriptionCodec } from '#projections';
import { loadScript, type Redis, redisReply } from '#redis';
import { STATES_KEPT_IN_REDIS, STATES_KEPT_IN_REDIS_S } from '../limits.js';
import type { WorkerKeys } from '../redis/keys.js';
import { KEYS, LOG, PARTITIONS, REDIS } from '../tokens.js';
import { StateAtRevisionCache } from './state-at-revision-cache.js';

const keepStates = loadScript(new URL('./lua/keep-states-1.lua', import.meta.url));

/** The only streams that go on for years: what is written of others is read in a moment. */
const { category: KEPT_CATEGORY } = subscriptionAggregate;

/**
 * Subscriptions as they stood at their last event that went by, in Redis (decision 0147): no message needs its
 * subject's whole life read, also where another process saw that. A state follows from its stream and its revision
 * alone, so that it is true of any process that wrote it, at any time; where it is missing, or of another revision, the stream is
 * read.
 */
@Injectable()
export class KeptStates {
  readonly #most: number;

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: Pick<WorkerKeys, 'states'>,
    @Inject(PARTITIONS) { count }: Partitions,
    private readonly memory: StateAtRevisionCache,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.#most = Math.ceil(STATES_KEPT_IN_REDIS / count);
  }

  /** Before events are planned: memory learns of all their streams at once what it does not know. Never throws. */
  async recall(events: readonly RecordedEvent[]): Promise<void> {
    const wanted = [
      ...new Set(events.filter((event) => this.#isMissing(event)).map(readStreamName)),
    ];
    if (wanted.length === 0) return;
    try {
      const found = await redisReply(this.redis.hmget(this.keys.states, ...wanted.map(idOf)));
      for (const [at, streamName] of wanted.entries()) {
        const text = found[at];
        if (typeof text === 'string') this.memory.learn(streamName, decode(text, idOf(streamName)));
      }
    } catch (error) {
      warnSeldom(this.log, error, 'states that are kept could not be read; their streams are');
    }
  }

  /** When events are planned: what memory has of their streams now. Never throws. */
  async keep(events: readonly RecordedEvent[]): Promise<void> {
    const streams = new Set(events.filter(isOfKept).map(readStreamName));
    const args = [...streams].flatMap((streamName) => {
      const text = encode(streamName, this.memory.recall(streamName));
      return text === undefined ? [] : [idOf(streamName), text];
    });
    if (args.length === 0) return;
    try {
      const limits = [this.#most, STATES_KEPT_IN_REDIS_S];
      await keepStates(this.redis, [this.keys.states], [...limits, ...args]);
    } catch (error) {
      warnSeldom(this.log, error, 'states could not be kept; their streams are read');
    }
  }

  #isMissing(event: RecordedEvent): boolean {
    if (!isOfKept(event) || event.revision === 0) return false;
    return (this.memory.recall(event.streamName)?.revision ?? -1) < event.revision - 1;
  }
}

const readStreamName = ({ streamName }: RecordedEvent) => streamName;

function isOfKept({ streamName }: RecordedEvent): boolean {
  return categoryOf(streamName) === KEPT_CATEGORY;
}

/** Undefined where memory has no state of the stream. */
function encode(streamName: string, folded: Followed | undefined): string | undefined {
  // A stream's name begins with its aggregate's category, so the state is that aggregate's.
  const state = folded?.state as Subscription | undefined;
  if (folded === undefined || state === undefined || state.status === 'none') return undefined;
  return JSON.stringify([folded.revision, ...subscriptionCodec.pack(state, idOf(streamName))]);
}

/** What `encode` gave: the key is that of the codec's version. */
function decode(text: string, id: string): Followed {
  const [revision, ...packed] = JSON.parse(text) as [number, ...unknown[]];
  return { revision, state: subscriptionCodec.unpack(packed, id) };
}
