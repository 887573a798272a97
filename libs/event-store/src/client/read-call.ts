import type { EventStoreDBClient } from '@eventstore/db-client';
import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { withTimeLimit } from '#platform';
import { type IncomingAnswers, leaveCall } from './incoming-answers.js';
import { READ_IDLE_MS } from '../streams/limits.js';
import { type CallOptions, openCall } from './open-call.js';
import { type ReadAnswer, readAnswer } from './read-answer.js';

/** Opens one call of `Streams/Read`, which has its whole request. @throws as `openCall`. */
export function openAnswers(
  client: EventStoreDBClient,
  request: Buffer,
  options: CallOptions,
): Promise<IncomingAnswers<ReadAnswer>> {
  const { path } = grpcStubs.StreamsService.read;
  return openCall(client, { path, read: readAnswer }, options, request);
}

/**
 * One call of `Streams/Read` whose answers are taken as they have come, several at once: the client's own stream
 * passes each through a second one, with a wait for each, which took a third of a read (decision 0005).
 */
export class ReadCall {
  #wake: () => void = () => undefined;

  /** Asks the leader. @throws what the client throws, or Fault where the store does not answer in time. */
  static async open(client: EventStoreDBClient, request: Buffer): Promise<ReadCall> {
    const opening = openAnswers(client, request, { requiresLeader: true });
    try {
      return new ReadCall(await withTimeLimit(opening, READ_IDLE_MS, 'the event store'));
    } catch (error) {
      // A connection that is found too late must not keep a call that serves nothing.
      opening.then((answers) => new ReadCall(answers).leave(true)).catch(() => undefined);
      throw error;
    }
  }

  private constructor(private readonly answers: IncomingAnswers<ReadAnswer>) {
    answers.onChange = () => this.#wake();
  }

  /**
   * What has come since, at least one answer; none when the call has ended.
   *
   * @param limitMs how long it may take until something comes; 0 for as long as it takes. @throws as `open`.
   */
  async next(limitMs = READ_IDLE_MS): Promise<readonly ReadAnswer[]> {
    for (;;) {
      const answers = this.answers.take();
      if (answers.length > 0) return answers;
      if (this.answers.error !== undefined) throw this.answers.error;
      if (this.answers.hasEnded) return [];
      const change = new Promise<void>((resolve) => (this.#wake = resolve));
      await (limitMs === 0 ? change : withTimeLimit(change, limitMs, 'the event store'));
    }
  }

  /** To be called in the end, whatever was read: see `leaveCall`. */
  leave(hasMore: boolean): void {
    leaveCall(this.answers, hasMore);
  }
}
