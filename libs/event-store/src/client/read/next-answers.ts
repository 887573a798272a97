import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { withTimeLimit } from '#platform';
import { READ_IDLE_MS } from '../../streams/limits.js';
import type { CallOptions, IncomingAnswers, StoreConnection } from '../connection/index.js';
import { type ReadAnswer, readAnswer } from './read-answer.js';

/** A call of `Streams/Read`. */
export type ReadCall = IncomingAnswers<ReadAnswer>;

const READ = { path: grpcStubs.StreamsService.read.path, read: readAnswer };

/** Opens a read, of which `request` is all that is sent. @throws as `StoreConnection.open`. */
export function openRead(store: StoreConnection, options: CallOptions): Promise<ReadCall> {
  return store.open(READ, options);
}

/**
 * The answers that have come since, at least one; none when the call has ended. They are taken several at once: the
 * client's own stream waits for each, which took a third of a read (decision 0005).
 *
 * @param limitMs how long it may take until something comes; 0 for as long as it takes.
 * @throws Fault where nothing comes in time, or the gRPC error of the call.
 */
export async function nextAnswers(
  call: ReadCall,
  limitMs = READ_IDLE_MS,
): Promise<readonly ReadAnswer[]> {
  for (;;) {
    const answers = call.take();
    if (answers.length > 0) return answers;
    if (call.error !== undefined) throw call.error;
    if (call.hasEnded) return [];
    const change = new Promise<void>((resolve) => (call.onChange = resolve));
    await (limitMs === 0 ? change : withTimeLimit(change, limitMs, 'the event store'));
  }
}
