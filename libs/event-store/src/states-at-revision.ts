import { LRUCache } from 'lru-cache';
import type { Aggregate, AnyRejection } from '#domain/decider';
import { COMMAND_RECORDED, type DomainEvent, idOf, type RecordedEvent } from '#domain/event';
import type { CommandExecutor } from './command-executor.js';

/** A state, and the revision of the last event in it. */
interface Followed {
  readonly revision: number;
  readonly state: unknown;
}

/**
 * States of streams as they stood at the events that go by. A stream whose events come one after the
 * other is folded on in memory; any other is read from the store, up to the event in question.
 */
export class StatesAtRevision {
  readonly #followed: LRUCache<string, Followed>;

  /** @param kept streams whose state is kept, a few kB each. */
  constructor(
    private readonly commands: Pick<CommandExecutor, 'load'>,
    kept: number,
  ) {
    this.#followed = new LRUCache({ max: kept });
  }

  /**
   * The state with this event and all before it, and none after it; at once where memory has it.
   *
   * @throws Fault `unavailable` or `undecodable`.
   */
  stateAt<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    event: RecordedEvent,
  ): State | Promise<State> {
    const { streamName, revision } = event;
    return (
      this.follow(aggregate, event) ?? this.stateAtRevision(aggregate, idOf(streamName), revision)
    );
  }

  /**
   * The state of a stream with its event of this revision and all before it, and none after it.
   *
   * @throws Fault `unavailable` or `undecodable`.
   */
  async stateAtRevision<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
    revision: number,
  ): Promise<State> {
    const streamName = `${aggregate.category}-${id}`;
    const known = this.#followed.get(streamName);
    // A stream's name begins with its aggregate's category, so the state is that aggregate's.
    if (known?.revision === revision) return known.state as State;
    const { state } = await this.commands.load(aggregate, id, { toRevision: revision });
    // A later state stays: the stream's next event is folded onto it.
    if ((known?.revision ?? -1) < revision) this.#followed.set(streamName, { revision, state });
    return state;
  }

  /** `stateAt`, if it takes no reading; undefined otherwise. */
  follow<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    { decider }: Aggregate<State, Command, Event, Rejection>,
    event: RecordedEvent,
  ): State | undefined {
    const { revision, streamName, type } = event;
    const known = revision === 0 ? undefined : this.#followed.get(streamName);
    // A stream's name begins with its aggregate's category, so state and events are that aggregate's.
    const before = revision === 0 ? decider.initialState : (known?.state as State | undefined);
    if (before === undefined || (known !== undefined && known.revision !== revision - 1)) {
      return known?.revision === revision ? before : undefined;
    }
    const state =
      type === COMMAND_RECORDED ? before : decider.evolve(before, event as unknown as Event);
    this.#followed.set(streamName, { revision, state });
    return state;
  }
}
