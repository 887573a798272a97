import type { AppendOutcome, Appender } from '../append/appender.js';
import { InvalidArgument } from '../failures.js';
import { MAX_APPEND_BYTES, MAX_RECEIVE_BYTES } from '../limits.js';
import type { ProposedEvent } from '../storage/record.js';
import { eventSize } from '../protobuf/append-messages.js';
import { readAppendMessage, readDeleteRequest } from '../protobuf/append-request.js';
import {
  encodeAppendSuccess,
  encodeAppendWrongVersion,
  encodeDeleted,
} from '../protobuf/append-response.js';
import type { Answer, AppendCall, UnaryCall } from './calls.js';
import type { OpenCall, OpenCalls } from './open-calls.js';
import { AppendTooLarge, toCallStatus, streamDeletedStatus, wrongVersionStatus } from './status.js';

/** Serves `Append`: options first, then one message an event; it is appended when the client ends. */
export function appendHandler(
  appender: Appender,
  openCalls: OpenCalls,
): (call: AppendCall, answer: Answer) => void {
  return (call, answer) => {
    let target: { streamName: string; expected: number } | undefined;
    const events: ProposedEvent[] = [];
    let bytes = 0;
    let received = 0;
    let isAnswered = false;
    const openCall: OpenCall = { fail: (status) => answerOnce(status) };
    openCalls.add(openCall);
    const close = (): void => {
      isAnswered = true;
      events.length = 0;
      openCalls.delete(openCall);
    };
    const answerOnce: Answer = (error, value) => {
      if (isAnswered) return;
      close();
      answer(error, value);
    };

    call.on('data', (message: Buffer) => {
      if (isAnswered) return;
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
        answerOnce(toCallStatus(error));
      }
    });
    call.on('error', close);
    call.on('cancelled', close);
    call.on('end', () => {
      if (isAnswered) return;
      if (!target) {
        answerOnce(toCallStatus(new InvalidArgument('Append options are needed.')));
        return;
      }
      const { streamName, expected } = target;
      appender.append(streamName, expected, [...events]).then(
        (outcome) => answerAppend(outcome, streamName, expected, answerOnce),
        (error: unknown) => answerOnce(toCallStatus(error)),
      );
    });
  };
}

/** Serves `Delete` and `Tombstone`, whose messages look the same. */
export function deleteHandler(
  run: (streamName: string, expected: number) => Promise<AppendOutcome>,
): (call: UnaryCall, answer: Answer) => void {
  return (call, answer) => {
    void serve();

    async function serve(): Promise<void> {
      try {
        const { streamName, expected } = readDeleteRequest(call.request);
        const outcome = await run(streamName, expected);
        if (outcome.kind === 'appended') answer(null, encodeDeleted(outcome.last.position));
        else if (outcome.kind === 'stream-deleted') answer(streamDeletedStatus(streamName));
        else answer(wrongVersionStatus(streamName, expected, outcome.current));
      } catch (error) {
        answer(toCallStatus(error));
      }
    }
  };
}

function answerAppend(
  outcome: AppendOutcome,
  streamName: string,
  expected: number,
  answer: Answer,
): void {
  if (outcome.kind === 'stream-deleted') answer(streamDeletedStatus(streamName));
  else if (outcome.kind === 'wrong-version') {
    answer(null, encodeAppendWrongVersion(expected, outcome.current));
  } else answer(null, encodeAppendSuccess(outcome));
}
