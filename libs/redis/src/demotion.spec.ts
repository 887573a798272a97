import { describe, expect, it } from 'vitest';
import { DemotionWatch } from './demotion.js';

const READONLY = new Error("READONLY You can't write against a read only replica.");
const OF_A_SCRIPT = new Error(
  'ERR Error running script (call to f_1): @user_script:1: -READONLY x',
);
const UNBLOCKED = new Error('UNBLOCKED force unblock from blocking operation');

function watch(sendsAgain = true) {
  const clock = { now: 0 };
  return { clock, watch: new DemotionWatch(sendsAgain, () => clock.now) };
}

describe('a server that was demoted', () => {
  it.each([READONLY, OF_A_SCRIPT, UNBLOCKED])(
    'is left, and the call is sent again: %s',
    (error) => {
      expect(watch().watch.reconnectOnError(error)).toBe(2);
      expect(watch(false).watch.reconnectOnError(error)).toBe(1);
    },
  );

  it('is left later each time, until no refusal has come for a while', () => {
    const { clock, watch: demotion } = watch();
    expect(demotion.attempts).toBe(0);
    for (const expected of [1, 2, 3]) {
      demotion.reconnectOnError(READONLY);
      expect(demotion.attempts).toBe(expected);
      clock.now += 9_000;
    }
    clock.now += 1_000;
    expect(demotion.attempts).toBe(0);
    demotion.reconnectOnError(READONLY);
    expect(demotion.attempts).toBe(1);
  });
});

it.each(['OOM command not allowed', 'ERR unknown command', 'WRONGTYPE x', 'ERR about READONLY'])(
  'another refusal breaks no connection: %s',
  (message) => expect(watch().watch.reconnectOnError(new Error(message))).toBe(false),
);
