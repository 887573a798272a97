import type { EventStoreDBClient } from '@eventstore/db-client';
import type { RecordedEvent } from '#domain/event';
import { asFault, beginRead } from './begin-read.js';
import type { Codec } from '../streams/codec.js';
import type { ReadOptions } from '../streams/event-store.js';
import { streamRequest } from './verbatim/read-requests.js';

/** See `EventStore.readStream`. */
export async function* readStream(
  client: EventStoreDBClient,
  codec: Codec,
  streamName: string,
  options: ReadOptions = {},
): AsyncGenerator<RecordedEvent, void, undefined> {
  let left = options.maxCount ?? Number.MAX_SAFE_INTEGER;
  let hasMore = true;
  const doing = `reading ${streamName}`;
  const request = streamRequest(streamName, { ...options, maxCount: left });
  const begun = await beginRead(client, request, doing);
  const { call } = begun;
  try {
    for (let { answers } = begun; answers.length > 0; answers = await call.next()) {
      for (const answer of answers) {
        if (answer.kind !== 'event') continue;
        left -= 1;
        hasMore = left > 0;
        yield codec.decode(answer.event);
      }
    }
  } catch (error) {
    hasMore = true;
    throw asFault(error, doing);
  } finally {
    call.leave(hasMore);
  }
}
