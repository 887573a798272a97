import { Inject, Injectable } from '@nestjs/common';
import type { Aggregate, AnyRejection } from '#domain/decider';
import type { DomainEvent } from '#domain/event';
import { readBucket } from '#domain/ids';
import type {
  Accepted,
  CommandContext,
  CommandExecutor,
  CommandOptions,
  FeedItem,
  Loaded,
} from '#event-store';
import { COMMAND_EXECUTOR } from '../tokens.js';
import type { RejectionCode } from './rejection-code.js';
import { rejected } from './rejections.js';

/** The part of the consistency token beside the position. */
interface InBucket {
  /** Of the stream (decision 0009). */
  readonly bucket: string;
}

type Rejection = AnyRejection & { readonly code: RejectionCode };

/** The one command executor as handlers of HTTP programs use it: a rejection is thrown as `ApiError`. */
@Injectable()
export class Ledger {
  constructor(@Inject(COMMAND_EXECUTOR) private readonly executor: CommandExecutor) {}

  /**
   * Runs a command (rules/events 3).
   *
   * @throws ApiError for every rejection, from the one table; Fault as the executor does.
   */
  async execute<State, DomainCommand, Event extends DomainEvent, R extends Rejection>(
    aggregate: Aggregate<State, DomainCommand, Event, R>,
    id: string,
    command: DomainCommand,
    context: CommandContext,
    options?: CommandOptions<State>,
  ): Promise<Accepted<State, Event> & InBucket> {
    const result = await this.executor.execute(aggregate, id, command, context, options);
    if (!result.accepted) throw rejected(result.rejection, aggregate.category);
    return inBucket(result, id);
  }

  /** The answer that the command gets whatever it says, or undefined. @throws as `execute` does. */
  async answerBefore<State, DomainCommand, Event extends DomainEvent, R extends Rejection>(
    aggregate: Aggregate<State, DomainCommand, Event, R>,
    id: string,
    context: CommandContext,
  ): Promise<(Accepted<State, Event> & InBucket) | undefined> {
    const answer = await this.executor.answerBefore(aggregate, id, context);
    if (answer?.accepted === false) throw rejected(answer.rejection, aggregate.category);
    return answer && inBucket(answer, id);
  }

  /** The state of a stream, now or at `toRevision`. @throws Fault `unavailable` or `undecodable`. */
  async load<State, DomainCommand, Event extends DomainEvent, R extends AnyRejection>(
    aggregate: Aggregate<State, DomainCommand, Event, R>,
    id: string,
    options?: { readonly toRevision?: number },
  ): Promise<Loaded<State>> {
    return this.executor.load(aggregate, id, options);
  }

  /** The state as far as memory has it, which may be behind; undefined where it has none. */
  recall<State, DomainCommand, Event extends DomainEvent, R extends AnyRejection>(
    aggregate: Aggregate<State, DomainCommand, Event, R>,
    id: string,
  ): Loaded<State> | undefined {
    return this.executor.recall(aggregate, id);
  }

  /** Takes a stream on in memory by an event that goes by; see the executor. */
  follow<State, DomainCommand, Event extends DomainEvent, R extends AnyRejection>(
    aggregate: Aggregate<State, DomainCommand, Event, R>,
    item: FeedItem,
  ): void {
    this.executor.follow(aggregate, item);
  }
}

/** Field by field: a copy of an answer takes V8 a microsecond, and each command has one. */
function inBucket<State, Event>(
  { state, revision, position, replayed, events }: Accepted<State, Event>,
  id: string,
): Accepted<State, Event> & InBucket {
  return { accepted: true, state, revision, position, replayed, events, bucket: readBucket(id) };
}
