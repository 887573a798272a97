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

export interface CommandExecutor {
  /**
   * Reads, decides and appends (rules/events 3).
   *
   * @returns the state after the command, or a rejection: the domain's, or one of the handler's
   *   own.
   * @throws Fault `conflict` when others kept changing the stream; `unavailable` when the store
   *   does not answer: the outcome is unknown then, and the same command with the same command id
   *   can be sent again; `undecodable` when the stream cannot be folded.
   */
  execute<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
    command: Command,
    context: CommandContext,
    options?: CommandOptions<State>,
  ): Promise<CommandResult<State, Event, Rejection>>;

  /**
   * Whether a command with this context has an answer already: its key was used before, or If-Match
   * does not match. For callers with much to do before the command itself. Another command may come
   * in between, so `execute` looks again.
   *
   * @returns the answer; undefined where the command itself decides. @throws Fault as `load` does.
   */
  answerBefore<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
    context: CommandContext,
  ): Promise<CommandResult<State, Event, Rejection> | undefined>;

  /**
   * The present state, or the one at `toRevision`. @throws Fault `unavailable` or `undecodable`.
   */
  load<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
    options?: { readonly toRevision?: number },
  ): Promise<Loaded<State>>;

  /**
   * The state of a stream as far as memory has it, which may be behind the store; undefined where it has none. For
   * state that never changes, and for streams that `follow` is given.
   */
  recall<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
  ): Loaded<State> | undefined;

  /**
   * Takes a stream on in memory by an event that the caller follows anyway, so that the next command on it reads
   * nothing. All of its events are to be given, in their order; a gap is noticed.
   */
  follow<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    item: FeedItem,
  ): void;
}

export interface CommandExecutorOptions {
  /** How many folded streams to keep; 0 for none. */
  readonly cacheSize?: number;
}

/** The one command executor (rules/events 3). */
export function createCommandExecutor(
  store: EventStore,
  options: CommandExecutorOptions = {},
): CommandExecutor {
  const streams = new AggregateReader(store, options.cacheSize ?? CACHED_STREAMS);
  return {
    execute: async (aggregate, id, command, context, options = {}) => {
      const streamName = `${aggregate.category}-${id}`;
      const cached = streams.recall<(typeof aggregate)['decider']['initialState']>(streamName);
      const isTakenForNew = cached === undefined && options.isNew === true;
      const asNew = isTakenForNew ? unfolded(aggregate.decider.initialState) : undefined;
      const known = cached ?? asNew ?? (await streams.read(aggregate, streamName));
      const isFresh = cached === undefined && !isTakenForNew;
      const scope = { store, streams, aggregate, streamName, context, options };
      return new CommandExecution(scope, command, known, isFresh).run();
    },
    answerBefore: async (aggregate, id, context) => {
      const streamName = `${aggregate.category}-${id}`;
      const known = streams.recall<(typeof aggregate)['decider']['initialState']>(streamName);
      const folded = await streams.read(aggregate, streamName, known);
      const whereabouts = { streams, aggregate, streamName, context };
      return (await answerOfEarlier(whereabouts, folded)) ?? preconditionFailed(context, folded);
    },
    load: async (aggregate, id, { toRevision } = {}) => {
      const streamName = `${aggregate.category}-${id}`;
      const known = streams.recall<(typeof aggregate)['decider']['initialState']>(streamName);
      const isUsable = toRevision === undefined || (known?.revision ?? -1) <= toRevision;
      return loaded(
        await streams.read(
          aggregate,
          streamName,
          isUsable ? known : undefined,
          toRevision === undefined ? {} : { toRevision },
        ),
      );
    },
    recall: <State>({ category }: { readonly category: string }, id: string) => {
      const known = streams.recall<State>(`${category}-${id}`);
      return known && loaded(known);
    },
    follow: (aggregate, item) => streams.follow(aggregate, item),
  };
}

function loaded<State>(folded: Folded<State>): Loaded<State> {
  const { state, revision, position, lastOccurredAt } = folded;
  return { state, revision, position, lastOccurredAt };
}
