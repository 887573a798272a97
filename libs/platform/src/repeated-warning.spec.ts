import { describe, expect, it } from 'vitest';
import { Fault } from './fault.js';
import { createLogger } from './logger.js';
import { warnSeldom } from './repeated-warning.js';

const down = new Fault('unavailable', 'connect ECONNREFUSED', { retryable: true });

function collecting() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { lines, log: createLogger('test', { destination: { write } }) };
}

describe('a warning that repeats', () => {
  it('is logged at once, then ever less often, with what was left out', () => {
    const { lines, log } = collecting();
    for (let atMs = 0; atMs < 60_000; atMs += 1_000) warnSeldom(log, down, 'it is down', atMs);
    expect(lines.map(({ repeated }) => repeated)).toEqual([undefined, 4, 9, 19]);
  });

  it('is one for all who fail for the same reason, and another for another reason', () => {
    const { lines, log } = collecting();
    warnSeldom(log, down, 'it is down', 0);
    warnSeldom(log, new Fault('unavailable', down.message, { retryable: true }), 'it is down', 1);
    warnSeldom(log, new Error('no such host'), 'it is down', 2);
    warnSeldom(log, down, 'something else is down', 3);
    expect(lines).toHaveLength(3);
  });

  it('is a new one after it was over', () => {
    const { lines, log } = collecting();
    warnSeldom(log, down, 'it is down', 0);
    warnSeldom(log, down, 'it is down', 1_000);
    warnSeldom(log, down, 'it is down', 100_000);
    expect(lines.map(({ repeated }) => repeated)).toEqual([undefined, undefined]);
  });
});
