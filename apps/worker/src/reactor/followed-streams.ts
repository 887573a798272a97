import { LRUCache } from 'lru-cache';
import type { Aggregate, AnyRejection } from '#domain/decider';
import { COMMAND_NOTED, type Fact, idOf, type RecordedFact } from '#domain/fact';
import type { CommandHandler } from '#event-store';
import { FOLLOWED_STREAMS } from '../limits.js';

interface Followed {
  readonly revision: number;
  readonly state: unknown;
}

/**
 * States of streams as they stood at the facts that go by. A stream whose facts come one after the
 * other is folded on in memory; any other is read from the store, up to the fact in question.
 */
export class FollowedStreams {
  readonly #commands: CommandHandler;
  readonly #followed = new LRUCache<string, Followed>({ max: FOLLOWED_STREAMS });

  constructor(commands: CommandHandler) {
    this.#commands = commands;
  }

  /**
   * The state with this fact and all before it, and none after it.
   *
   * @throws Fault `unavailable` or `undecodable`.
   */
  async stateAt<State, Command, Event extends Fact, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    fact: RecordedFact,
  ): Promise<State> {
    const folded = this.follow(aggregate, fact);
    if (folded !== undefined) return folded;
    const { revision, streamName } = fact;
    const id = idOf(streamName);
    const { state } = await this.#commands.load(aggregate, id, { toRevision: revision });
    this.#followed.set(streamName, { revision, state });
    return state;
  }

  /** The same, if it takes no reading; undefined otherwise. */
  follow<State, Command, Event extends Fact, Rejection extends AnyRejection>(
    { decider }: Aggregate<State, Command, Event, Rejection>,
    fact: RecordedFact,
  ): State | undefined {
    const { revision, streamName, type } = fact;
    const known = revision === 0 ? undefined : this.#followed.get(streamName);
    // A stream's name begins with its aggregate's category, so state and facts are that aggregate's.
    const before = revision === 0 ? decider.initialState : (known?.state as State | undefined);
    if (before === undefined || (known !== undefined && known.revision !== revision - 1)) {
      return known?.revision === revision ? before : undefined;
    }
    const state =
      type === COMMAND_NOTED ? before : decider.evolve(before, fact as unknown as Event);
    this.#followed.set(streamName, { revision, state });
    return state;
  }
}
