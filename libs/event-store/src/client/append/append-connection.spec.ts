import { beforeEach, describe, expect, it, vi } from 'vitest';
import codes from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import protobuf from 'google-protobuf/google/protobuf/any_pb.js';
import { textId } from '../spec-support/uuid-forms.js';
import { AppendConnection } from './batch-appender.js';
import { TooLargeToAppend } from '../errors.js';
import { type AppendAnswer, correlationId } from './append-answer.js';
import type { StoreCall } from '../connection/index.js';

const ATTEMPT_MS = 1_000;
const POSITION = '00000000000000000017';

interface Answer {
  readonly number: number;
  readonly revision: number;
  readonly refusal: { readonly code: codes.Code; readonly message: string; readonly kind?: string };
}

function toAnswer({ number = 0, revision = 0, refusal }: Partial<Answer>): AppendAnswer {
  const answer = new streams.BatchAppendResp();
  answer.setCorrelationId(textId(correlationId(number)));
  if (refusal === undefined) {
    const position = new shared.AllStreamPosition();
    position.setCommitPosition('17');
    const success = new streams.BatchAppendResp.Success();
    success.setCurrentRevision(String(revision));
    success.setPosition(position);
    answer.setSuccess(success);
  } else {
    const error = new statuses.Status();
    error.setCode(refusal.code);
    error.setMessage(refusal.message);
    const details = new protobuf.Any();
    if (refusal.kind !== undefined) details.pack(Uint8Array.of(), refusal.kind);
    error.setDetails(details);
    answer.setError(error);
  }
  return answer;
}

/** A call whose answers the test sends. */
class ScriptedCall implements StoreCall<AppendAnswer> {
  readonly sent: Buffer[] = [];
  readonly lose = vi.fn();
  readonly leave = vi.fn();
  hasEnded = false;
  error: Error | undefined;
  onChange: () => void = () => undefined;
  #answers: AppendAnswer[] = [];

  send(message: Buffer): void {
    this.sent.push(message);
  }

  take(): AppendAnswer[] {
    return this.#answers.splice(0);
  }

  answer(...answers: Partial<Answer>[]): void {
    this.#answers = answers.map(toAnswer);
    this.onChange();
  }

  fail(error: Error): void {
    this.error = error;
    this.onChange();
  }

  end(): void {
    this.hasEnded = true;
    this.onChange();
  }
}

let call: ScriptedCall;
let lost: number;
let connection: AppendConnection;

beforeEach(() => {
  call = new ScriptedCall();
  lost = 0;
  connection = new AppendConnection(call, ATTEMPT_MS, () => (lost += 1));
});

const append = () => connection.append('player-1', 'no_stream', []);
const storedForm = (bytes: number) => ({
  id: '6f1d8c0e-5a3b-4b7e-9c42-d0a8e4f7b615',
  type: 'counter.added.v1',
  data: { text: 'x'.repeat(bytes) },
  metadata: {
    ...{ $correlationId: 'c', actor: 'app', appId: 'app_1' },
    occurredAt: '2026-01-31T10:00:00.000Z',
  } as const,
});

describe('appends on one call', () => {
  it('are answered by their numbers, in whatever order', async () => {
    const [first, second] = [append(), append()];
    call.answer({ number: 2, revision: 20 }, { number: 1, revision: 10 });
    expect(await first).toEqual({ revision: 10, position: POSITION });
    expect(await second).toEqual({ revision: 20, position: POSITION });
    expect(call.sent).toHaveLength(2);
  });

  // A store may take more: KurrentDB 26.1 takes 256 MB.
  it('of the ledger hold a megabyte at most, whatever the store takes', async () => {
    const half = storedForm(512 * 1_024);
    const refused = connection.append('player-1', 0, [half, half]);
    await expect(refused).rejects.toBeInstanceOf(TooLargeToAppend);
    await expect(refused).rejects.toThrow(
      /^appending to player-1: 1\d{6} bytes at once, and the ledger appends 1048576 at most$/,
    );
    expect(call.sent).toHaveLength(0);
    const taken = connection.append('player-1', 0, [half]);
    call.answer({ number: 2 });
    await taken;
  });

  it('of events byte for byte are as large as the store takes them', async () => {
    const { id, type } = storedForm(0);
    const bytes = { data: Buffer.alloc(2 ** 21), metadata: Buffer.from('{}') };
    const taken = connection.append('player-1', 0, [
      { id, type, contentType: 'application/octet-stream', ...bytes },
    ]);
    call.answer({ number: 1 });
    await taken;
    expect(call.sent).toHaveLength(1);
  });

  it.each(['MaximumAppendSizeExceeded', 'MaximumAppendEventSizeExceeded'])(
    'are too large where the store says %s',
    async (name) => {
      const kind = `event_store.client.${name}`;
      const refused = append();
      call.answer({
        number: 1,
        refusal: { code: codes.Code.INVALID_ARGUMENT, message: name, kind },
      });
      await expect(refused).rejects.toBeInstanceOf(TooLargeToAppend);
    },
  );

  it('know nothing of an answer that is none of theirs', async () => {
    const first = append();
    call.answer({ number: 7, revision: 70 }, { number: 1, revision: 10 });
    expect(await first).toMatchObject({ revision: 10 });
  });

  it.each([
    ['breaks', () => call.fail(new Error('reset')), 'the connection for appends was lost: reset'],
    ['ends in order', () => call.end(), 'the connection for appends was lost: the store ended it'],
  ])(
    'have an unknown outcome when it %s, and so has each that follows',
    async (_, end, message) => {
      const pending = [append(), append()];
      const outcomes = Promise.allSettled(pending);
      end();
      for (const outcome of await outcomes) {
        expect(outcome).toMatchObject({
          reason: { code: 'unavailable', retryable: true, message },
        });
      }
      await expect(append()).rejects.toThrow(message);
      expect(lost).toBe(1);
      expect(call.sent).toHaveLength(2);
    },
  );

  it('have an unknown outcome where it was lost before the first of them', async () => {
    call.error = new Error('reset');
    await expect(append()).rejects.toMatchObject({ code: 'unavailable' });
    expect(lost).toBe(1);
  });

  it('leave a node that serves none, and fail', async () => {
    const refusal = { code: codes.Code.UNKNOWN, message: 'Server Is Not Ready' };
    const first = append();
    call.answer({ number: 1, refusal });
    expect(call.lose).toHaveBeenCalledWith('the node is not ready');
    await expect(first).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });
});
