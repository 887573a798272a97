import type { AppendOutcome, Appender } from '../append/appender.js';
import { InvalidArgument } from '../failures.js';
import { MAX_APPEND_BYTES, MAX_RECEIVE_BYTES } from '../limits.js';
import type { ProposedEvent } from '../storage/record.js';
import { eventSize, readAppendMessage, readDeleteRequest } from '../protobuf/append-messages.js';
import {
  encodeAppendSuccess,
  encodeAppendWrongVersion,
  encodeDeleted,
} from '../protobuf/append-response.js';
import type { Call, OpenCalls } from './call.js';
import type { CallHandler } from './grpc-server.js';
import { withRequest } from './services.js';
import { AppendTooLarge, toCallStatus, streamDeletedStatus, wrongVersionStatus } from './status.js';

/** Serves `Append`: options first, then one message an event; it is appended when the client ends. */
export function appendHandler(appender: Appender, openCalls: OpenCalls): CallHandler {
  return (call) => {
    let target: { streamName: string; expected: number } | undefined;
    const events: ProposedEvent[] = [];
    let bytes = 0;
    let received = 0;
    openCalls.add(call);
    call.onOver = () => {
      events.length = 0;
      openCalls.delete(call);
    };
    call.onMessage = (message) => {
      try {
        const part = readAppendMessage(message);
        if (part.kind === 'options') {
          target = part;
          return;
        }
        bytes += eventSize(part.event);
        received += message.length;
        // An event holds on to the message that it came in, whatever else is in there.
        if (bytes > MAX_APPEND_BYTES || received > MAX_RECEIVE_BYTES) throw new AppendTooLarge();
        events.push(part.event);
      } catch (error) {
        call.fail(toCallStatus(error));
      }
    };
    call.onEnd = () => {
      if (!target) {
        call.fail(toCallStatus(new InvalidArgument('Append options are needed.')));
        return;
      }
      const { streamName, expected } = target;
      appender.append(streamName, expected, [...events]).then(
        (outcome) => answerAppend(outcome, streamName, expected, call),
        (error: unknown) => call.fail(toCallStatus(error)),
      );
    };
  };
}

/** Serves `Delete` and `Tombstone`, whose messages look the same. */
export function deleteHandler(
  run: (streamName: string, expected: number) => Promise<AppendOutcome>,
): CallHandler {
  return withRequest(async (call, request) => {
    const { streamName, expected } = readDeleteRequest(request);
    const outcome = await run(streamName, expected);
    if (outcome.kind === 'appended') call.end(encodeDeleted(outcome.last.position));
    else if (outcome.kind === 'stream-deleted') call.fail(streamDeletedStatus(streamName));
    else call.fail(wrongVersionStatus(streamName, expected, outcome.current));
  });
}

function answerAppend(
  outcome: AppendOutcome,
  streamName: string,
  expected: number,
  call: Call,
): void {
  if (outcome.kind === 'stream-deleted') call.fail(streamDeletedStatus(streamName));
  else if (outcome.kind === 'wrong-version') {
    call.end(encodeAppendWrongVersion(expected, outcome.current));
  } else call.end(encodeAppendSuccess(outcome));
}
