import type { Aggregate, AnyRejection } from '#domain/decider';
import type { DomainEvent, Instant, Position } from '#domain/event';
import { type CommandOptions, CommandExecution } from './command-execution.js';
import { answerOfEarlier, type CommandResult, preconditionFailed } from './earlier-answer.js';
import type { CommandContext } from './command-context.js';
import type { EventStore, FeedItem } from '../streams/event-store.js';
import { AggregateReader } from './aggregate-reader.js';
import { type Folded, unfolded } from '../streams/fold.js';
import { CACHED_STREAMS } from '../streams/limits.js';

/** A stream's state as it was read. */
export interface Loaded<State> {
  readonly state: State;
  /** Of the last event folded; -1 when there is no stream. */
  readonly revision: number;
  readonly position: Position | null;
  /** A command is decided then at the earliest (rules/events 3); empty when there is no stream. */
  readonly lastOccurredAt: Instant;
}

interface CommandExecutorOptions {
  /** How many folded streams to keep; 0 for none. */
  readonly cacheSize?: number;
}

/** The one command executor (rules/events 3). */
export class CommandExecutor {
  readonly #streams: AggregateReader;

  constructor(
    private readonly store: EventStore,
    { cacheSize = CACHED_STREAMS }: CommandExecutorOptions = {},
  ) {
    this.#streams = new AggregateReader(store, cacheSize);
  }

  /**
   * Reads, decides and appends (rules/events 3).
   *
   * @returns the state after the command, or a rejection: the domain's, or one of the handler's
   *   own.
   * @throws Fault `conflict` when others kept changing the stream; `unavailable` when the store
   *   does not answer: the outcome is unknown then, and the same command with the same command id
   *   can be sent again; `undecodable` when the stream cannot be folded.
   */
  async execute<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
    command: Command,
    context: CommandContext,
    options: CommandOptions<State> = {},
  ): Promise<CommandResult<State, Event, Rejection>> {
    const [store, streams] = [this.store, this.#streams];
    const streamName = `${aggregate.category}-${id}`;
    const cached = streams.recall<State>(streamName);
    const isTakenForNew = cached === undefined && options.isNew === true;
    const asNew = isTakenForNew ? unfolded(aggregate.decider.initialState) : undefined;
    const known = cached ?? asNew ?? (await streams.read(aggregate, streamName));
    const isFresh = cached === undefined && !isTakenForNew;
    const scope = { store, streams, aggregate, streamName, context, options };
    return new CommandExecution(scope, command, known, isFresh).run();
  }

  /**
   * Whether a command with this context has an answer already: its key was used before, or If-Match
   * does not match. For callers with much to do before the command itself. Another command may come
   * in between, so `execute` looks again.
   *
   * @returns the answer; undefined where the command itself decides. @throws Fault as `load` does.
   */
  async answerBefore<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
    context: CommandContext,
  ): Promise<CommandResult<State, Event, Rejection> | undefined> {
    const streams = this.#streams;
    const streamName = `${aggregate.category}-${id}`;
    const folded = await streams.read(aggregate, streamName, streams.recall<State>(streamName));
    const whereabouts = { streams, aggregate, streamName, context };
    return (await answerOfEarlier(whereabouts, folded)) ?? preconditionFailed(context, folded);
  }

  /**
   * The present state, or the one at `toRevision`. @throws Fault `unavailable` or `undecodable`.
   */
  async load<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
    { toRevision }: { readonly toRevision?: number } = {},
  ): Promise<Loaded<State>> {
    const streamName = `${aggregate.category}-${id}`;
    const known = this.#streams.recall<State>(streamName);
    const isUsable = toRevision === undefined || (known?.revision ?? -1) <= toRevision;
    const from = isUsable ? known : undefined;
    const options = toRevision === undefined ? {} : { toRevision };
    return loaded(await this.#streams.read(aggregate, streamName, from, options));
  }

  /**
   * The state of a stream as far as memory has it, which may be behind the store; undefined where it has none. For
   * state that never changes, and for streams that `follow` is given.
   */
  recall<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    { category }: Aggregate<State, Command, Event, Rejection>,
    id: string,
  ): Loaded<State> | undefined {
    const known = this.#streams.recall<State>(`${category}-${id}`);
    return known && loaded(known);
  }

  /**
   * Takes a stream on in memory by an event that the caller follows anyway, so that the next command on it reads
   * nothing. All of its events are to be given, in their order; a gap is noticed.
   */
  follow<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    item: FeedItem,
  ): void {
    this.#streams.follow(aggregate, item);
  }
}

export function createCommandExecutor(
  store: EventStore,
  options?: CommandExecutorOptions,
): CommandExecutor {
  return new CommandExecutor(store, options);
}

function loaded<State>(folded: Folded<State>): Loaded<State> {
  const { state, revision, position, lastOccurredAt } = folded;
  return { state, revision, position, lastOccurredAt };
}
