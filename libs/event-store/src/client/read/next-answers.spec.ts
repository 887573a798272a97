import { expect, it, vi } from 'vitest';
import type { IncomingAnswers } from '../connection/index.js';
import type { ReadAnswer } from './read-answer.js';
import { nextAnswers } from './read-events.js';

/** A call whose answers the test gives. */
class ScriptedCall implements IncomingAnswers<ReadAnswer> {
  readonly leave = vi.fn();
  hasEnded = false;
  error: Error | undefined;
  onChange: () => void = () => undefined;
  #come: ReadAnswer[] = [];

  take(): ReadAnswer[] {
    return this.#come.splice(0);
  }

  bring(...answers: ReadAnswer[]): void {
    this.#come.push(...answers);
    this.onChange();
  }

  end(error?: Error): void {
    this.error = error;
    this.hasEnded = error === undefined;
    this.onChange();
  }
}

const CONFIRMED = { kind: 'confirmed' } as const;
const CAUGHT_UP = { kind: 'caught-up' } as const;

it('gives at once the answers that have come together, and nothing more at its end', async () => {
  const call = new ScriptedCall();
  const first = nextAnswers(call);
  call.bring(CONFIRMED, CAUGHT_UP);
  expect(await first).toEqual([CONFIRMED, CAUGHT_UP]);
  const last = nextAnswers(call);
  call.end();
  expect(await last).toEqual([]);
});

it('gives the answers that came before an error, then the error', async () => {
  const call = new ScriptedCall();
  call.bring(CONFIRMED);
  call.end(new Error('gone'));
  expect(await nextAnswers(call)).toEqual([CONFIRMED]);
  await expect(nextAnswers(call)).rejects.toThrow('gone');
});

it('is a fault where nothing comes in time', async () => {
  await expect(nextAnswers(new ScriptedCall(), 1)).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
  });
});
