import type { Aggregate, AnyRejection } from '#domain/decider';
import { COMMAND_RECORDED, type DomainEvent, idOf, type RecordedEvent } from '#domain/event';
import { AggregateCache } from '../commands/aggregate-cache.js';
import type { CommandExecutor } from '../commands/command-executor.js';

/** A state, and the revision of the last event in it. */
interface StateAtRevision {
  readonly revision: number;
  readonly state: unknown;
}

/**
 * States of streams as they stood at the events that go by. A stream whose events come one after the
 * other is folded on in memory; any other is read from the store, up to the event in question.
 */
export class StatesAtRevision {
  readonly #cache: AggregateCache<StateAtRevision>;

  /** @param kept streams whose state is kept, a few kB each. */
  constructor(
    private readonly commands: Pick<CommandExecutor, 'load'>,
    kept: number,
  ) {
    this.#cache = new AggregateCache({ max: kept });
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
    this.follow(aggregate, event);
    const { streamName, revision } = event;
    // A stream's name begins with its aggregate's category, so states and events of it are that aggregate's.
    const known = this.#recall(streamName, revision) as State | undefined;
    return known ?? this.stateAtRevision(aggregate, idOf(streamName), revision);
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
    const known = this.#recall(streamName, revision) as State | undefined;
    if (known !== undefined) return known;
    const { state } = await this.commands.load(aggregate, id, { toRevision: revision });
    // A later state stays: the stream's next event is folded onto it.
    this.#cache.keep(streamName, { revision, state });
    return state;
  }

  /** Takes a stream on by an event that goes by, whether its state is wanted or not. */
  follow<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    { decider }: Aggregate<State, Command, Event, Rejection>,
    event: RecordedEvent,
  ): void {
    const { revision, type } = event;
    const begin = { revision: -1, state: decider.initialState };
    this.#cache.follow(event, begin, ({ state }) => {
      if (type === COMMAND_RECORDED) return { revision, state };
      return { revision, state: decider.evolve(state as State, event as unknown as Event) };
    });
  }

  #recall(streamName: string, revision: number): unknown {
    const known = this.#cache.get(streamName);
    return known?.revision === revision ? known.state : undefined;
  }
}
