import type { Aggregate, AnyRejection, Decision } from '#domain/decider';
import type { DomainEvent, RecordedEvent } from '#domain/event';
import { Fault, jitteredDelayMs, sleep } from '#platform';
import {
  type Accepted,
  accepted,
  answerOfEarlier,
  type CommandResult,
  decideRecording,
  type ExecutorRejection,
  preconditionFailed,
  RECORDED,
  type RecordingLimits,
  tooManyKeys,
} from './earlier-answer.js';
import { clampTime, type CommandContext, eventsToAppend } from './command-context.js';
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  RevisionConflict,
} from '../streams/event-store.js';
import type { Folded } from '../streams/fold.js';
import type { AggregateReader } from './aggregate-reader.js';
import { CONFLICT_BASE_MS, CONFLICT_CAP_MS, CONFLICTS } from '../streams/limits.js';

/** Conditions of a command on the state of its stream. */
export interface CommandOptions<State> {
  /**
   * Whether the stream is the caller's at all: asked before anything else, also before an earlier
   * answer is given again. An object of another caller is not found (rules/api 10).
   */
  readonly mayAct?: (state: State) => boolean;
  /**
   * The external account id of the player whose stream it is. It is used where the context names no
   * player, since it chooses the events' partition.
   */
  readonly playerOf?: (state: State) => string | undefined;
  /**
   * The stream is new unless this was done before: it is appended to without being read first. Where it is there after
   * all, the conflict tells, and the command is decided on its state.
   */
  readonly isNew?: boolean;
  /** Which keyed commands that change nothing are recorded; without it, each of them. */
  readonly recording?: RecordingLimits<State>;
}

/** The needs of an execution beside the command itself. */
export interface CommandScope<
  State,
  Command,
  Event extends DomainEvent,
  Rejection extends AnyRejection,
> {
  readonly store: EventStore;
  readonly streams: AggregateReader;
  readonly aggregate: Aggregate<State, Command, Event, Rejection>;
  readonly streamName: string;
  readonly context: CommandContext;
  readonly options: CommandOptions<State>;
}

/**
 * One execution of a command: decide on the cached state of the stream, append at that revision,
 * and begin again from a later one after a conflict.
 */
export class CommandExecution<
  State,
  Command,
  Event extends DomainEvent,
  Rejection extends AnyRejection,
> {
  #conflicts = 0;

  /**
   * @param folded the stream as it was folded earlier, however long ago.
   * @param isFresh whether the stream was read since the command came; an answer that appends nothing needs that.
   */
  constructor(
    private readonly scope: CommandScope<State, Command, Event, Rejection>,
    private readonly command: Command,
    private folded: Folded<State>,
    private isFresh: boolean,
  ) {}

  async run(): Promise<CommandResult<State, Event, Rejection>> {
    for (;;) {
      const result = await this.#tryOnce();
      if (result !== undefined) return result;
    }
  }

  /** The answer; undefined when the stream turned out to be further on, which `folded` then is. */
  async #tryOnce(): Promise<CommandResult<State, Event, Rejection> | undefined> {
    const { options, streamName, context } = this.scope;
    if (options.mayAct?.(this.folded.state) === false) {
      return this.#ifUnmoved(notFound(streamName));
    }
    const earlier = await answerOfEarlier(this.scope, this.folded);
    if (earlier !== undefined) return earlier;
    const decision = this.#decide();
    if (!decision.accepted) return this.#ifUnmoved(decision);
    const { events } = decision;
    if (events.length > 0) return this.#append(events, events);
    const recording = decideRecording(context, this.folded, options.recording);
    if (recording === 'recorded') return this.#append([], [RECORDED]);
    return this.#ifUnmoved(recording === 'refused' ? tooManyKeys() : accepted(this.folded, []));
  }

  /** An answer that appends nothing is given only after the stream's head was read. */
  async #ifUnmoved(
    answer: CommandResult<State, Event, Rejection>,
  ): Promise<CommandResult<State, Event, Rejection> | undefined> {
    if (this.isFresh) return answer;
    const { streams, aggregate, streamName } = this.scope;
    const latest = await streams.read(aggregate, streamName, this.folded);
    this.isFresh = true;
    if (latest === this.folded) return answer;
    this.folded = latest;
    return undefined;
  }

  /**
   * If-Match is checked before the domain decides: a caller who saw another state meant another change. The domain sees
   * no time before the stream's last event, since its decision is dated by it.
   */
  #decide(): Decision<Event, Rejection | ExecutorRejection> {
    const { context, aggregate } = this.scope;
    const { state, lastOccurredAt } = this.folded;
    return (
      preconditionFailed(context, this.folded) ??
      aggregate.decider.decide(clampTime(this.command, lastOccurredAt), state)
    );
  }

  async #append(
    events: readonly Event[],
    toStore: readonly DomainEvent[],
  ): Promise<CommandResult<State, Event, Rejection> | undefined> {
    const { store, streams, streamName, context, options } = this.scope;
    const folded = this.folded;
    const player = context.player ?? options.playerOf?.(folded.state);
    const proposed = eventsToAppend(toStore, context, folded.lastOccurredAt, player);
    try {
      const expected = folded.revision === -1 ? 'no_stream' : folded.revision;
      const appended = await store.append(streamName, expected, proposed);
      const after = this.#foldOwn(events, proposed, appended);
      streams.keep(streamName, after);
      return accepted(after, events);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      return this.#afterConflict(error, events, proposed);
    }
  }

  async #afterConflict(
    conflict: RevisionConflict,
    events: readonly Event[],
    proposed: readonly EventToAppend[],
  ): Promise<Accepted<State, Event> | undefined> {
    const { streams, aggregate, streamName } = this.scope;
    await this.#backOff();
    const toRevision = await this.#readOn(proposed);
    if (conflict.afterUnknownOutcome && toRevision !== undefined) {
      // The conflict is with our own attempt that got no answer.
      const own = await streams.read(aggregate, streamName, undefined, { toRevision });
      return accepted(own, events);
    }
    if (this.#conflicts === CONFLICTS) throw tooContended(streamName);
    return undefined;
  }

  async #backOff(): Promise<void> {
    this.#conflicts += 1;
    // One that was taken for new is there: no other writer is known to contend for it.
    const wasTakenForNew = this.#conflicts === 1 && this.scope.options.isNew === true;
    const pauseMs = jitteredDelayMs(this.#conflicts, CONFLICT_BASE_MS, CONFLICT_CAP_MS);
    if (!wasTakenForNew) await sleep(pauseMs);
  }

  /**
   * Reads on after a conflict; gives the revision of our own last event if it is there after all.
   */
  async #readOn(proposed: readonly EventToAppend[]): Promise<number | undefined> {
    const { streams, aggregate, streamName } = this.scope;
    const lastId = proposed.at(-1)?.id;
    let ownRevision: number | undefined;
    const onEvent = ({ id, revision }: RecordedEvent) => {
      if (id === lastId) ownRevision = revision;
    };
    const latest = await streams.read(aggregate, streamName, this.folded, { onEvent });
    if (latest === this.folded) {
      // The stream is shorter than our cached state: the store was restored or exchanged.
      streams.forget(streamName);
      this.folded = await streams.read(aggregate, streamName);
    } else {
      this.folded = latest;
    }
    this.isFresh = true;
    return ownRevision;
  }

  #foldOwn(
    events: readonly Event[],
    proposed: readonly EventToAppend[],
    { revision, position }: AppendResult,
  ): Folded<State> {
    const { decider } = this.scope.aggregate;
    const { commands } = this.folded;
    let { state, lastOccurredAt } = this.folded;
    for (const event of events) state = decider.evolve(state, event);
    for (const { metadata } of proposed.slice(-1)) {
      const { commandId, commandHash } = metadata;
      if (commandId !== undefined) commands.set(commandId, { hash: commandHash, revision });
      lastOccurredAt = metadata.occurredAt;
    }
    const recordedCommands = this.folded.recordedCommands + (events.length === 0 ? 1 : 0);
    return { state, revision, position, lastOccurredAt, commands, recordedCommands };
  }
}

function notFound(streamName: string): { accepted: false; rejection: ExecutorRejection } {
  const detail = `there is no ${streamName} for this caller`;
  return { accepted: false, rejection: { code: 'command/not_found', detail } };
}

function tooContended(streamName: string): Fault {
  const message = `${streamName} was changed by others ${CONFLICTS} times in a row`;
  return new Fault('conflict', message, { retryable: true, retryAfterMs: CONFLICT_CAP_MS });
}
