import { describe, expect, it } from 'vitest';
import { Fault } from '#platform';
import { Appends } from './appends.js';
import type { AppendResult, EventToAppend } from '../../streams/event-store.js';
import { RevisionConflict } from '../../streams/event-store.js';
import { APPENDS_IN_FLIGHT, APPENDS_WAITING } from '../../streams/limits.js';

const done: AppendResult = { revision: 0, position: '00000000000000000001' };
const lost = new Fault('unavailable', 'no answer', { retryable: true });
const refused = new Fault('refused', 'too big', { retryable: false });
// The event does not matter here.
const event = {} as EventToAppend;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Answers each attempt with the next of these, and the last one again and again. */
function appendsThatGive(...answers: (AppendResult | Error)[]) {
  const calls: unknown[][] = [];
  const append = (...call: unknown[]): Promise<AppendResult> => {
    const answer = answers[Math.min(calls.length, answers.length - 1)] ?? done;
    calls.push(call);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { appends: new Appends({ append }, { retryForMs: 5_000 }), calls };
}

describe('appending', () => {
  it('repeats an attempt of unknown outcome with the same events at the same revision', async () => {
    const { appends, calls } = appendsThatGive(lost, lost, done);
    expect(await appends.append('s-1', 4, [event])).toBe(done);
    expect(calls).toEqual([1, 2, 3].map(() => ['s-1', 4, [event]]));
  });

  it('repeats neither a refusal nor a conflict', async () => {
    for (const answer of [refused, new RevisionConflict('s-1', 5, false)]) {
      const { appends, calls } = appendsThatGive(answer);
      await expect(appends.append('s-1', 4, [event])).rejects.toBe(answer);
      expect(calls).toHaveLength(1);
    }
  });

  it('says of a conflict whether the events in the way may be its own', async () => {
    const conflict = new RevisionConflict('s-1', 5, false);
    const first = appendsThatGive(conflict).appends.append('s-1', 4, [event]);
    await expect(first).rejects.toMatchObject({ afterUnknownOutcome: false });
    const second = appendsThatGive(lost, conflict).appends.append('s-1', 4, [event]);
    await expect(second).rejects.toMatchObject({ afterUnknownOutcome: true, actual: 5 });
  });

  it('does not repeat what nothing guards', async () => {
    const { appends, calls } = appendsThatGive(lost, done);
    await expect(appends.append('s-1', 'any', [event])).rejects.toBe(lost);
    expect(calls).toHaveLength(1);
  });

  it('keeps to its number in flight, and refuses when too many wait', async () => {
    const waiting: ((result: AppendResult) => void)[] = [];
    const append = () => new Promise<AppendResult>((resolve) => waiting.push(resolve));
    const appends = new Appends({ append }, { retryForMs: 120_000 });
    const all = Array.from({ length: APPENDS_IN_FLIGHT + APPENDS_WAITING }, () =>
      appends.append('s-1', 4, [event]),
    );
    await nextTurn();
    expect(waiting).toHaveLength(APPENDS_IN_FLIGHT);
    await expect(appends.append('s-1', 4, [event])).rejects.toMatchObject({
      code: 'unavailable',
      retryable: true,
    });
    let most = 0;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      next(done);
      await nextTurn();
      most = Math.max(most, waiting.length);
    }
    expect(most).toBe(APPENDS_IN_FLIGHT);
    expect(await Promise.all(all)).toHaveLength(APPENDS_IN_FLIGHT + APPENDS_WAITING);
  });

  it('of nothing is a mistake of ours', async () => {
    await expect(appendsThatGive(done).appends.append('s-1', 4, [])).rejects.toThrow(
      /without events/,
    );
  });
});
