import { describe, expect, it } from 'vitest';
import { isWithin, parseReplayEnd } from './as-of.js';
import { CliError } from '../cli-error.js';
import { eventAt } from '../../../../libs/domain/src/event/spec-support/recorded-event.js';

describe('the end of a replay', () => {
  it.each([
    ['3', { revision: 3 }],
    ['0', { revision: 0 }],
    ['2027-01-31T10:00:00Z', { instant: '2027-01-31T10:00:00.000Z' }],
    ['2027-01-31T12:00:00+02:00', { instant: '2027-01-31T10:00:00.000Z' }],
  ])('%s is %j', (text, asOf) => {
    expect(parseReplayEnd(text)).toEqual(asOf);
  });

  it.each(['', '-1', '1.5', '2027-01-31', 'yesterday', '12345678901'])(
    'is not %j, and the refusal has both forms',
    (text) => {
      expect(() => parseReplayEnd(text)).toThrow(CliError);
      expect(() => parseReplayEnd(text)).toThrow(
        /a revision, such as 3, or an instant, such as 2027-/,
      );
    },
  );

  it('belongs to the replay itself', () => {
    const within = (text: string) =>
      [0, 1, 2].map((at) => isWithin(parseReplayEnd(text), eventAt(at)));
    expect(within('1')).toEqual([true, true, false]);
    expect(within('2027-01-02T10:00:00Z')).toEqual([true, true, false]);
    expect(within('2027-01-02T09:59:59Z')).toEqual([true, false, false]);
    expect(isWithin(undefined, eventAt(9))).toBe(true);
  });
});
