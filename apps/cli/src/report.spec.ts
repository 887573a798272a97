import { describe, expect, it } from 'vitest';
import { Fault, SettingRefused } from '#platform';
import { CliError } from './cli-error.js';
import { reportError } from './report.js';

const spoken = (exitCode: number) =>
  Object.assign(new Error("error: unknown option '--colour'"), {
    code: 'commander.unknownOption',
    exitCode,
  });
const refused = new CliError('There are bad rows.', 'refused', ['line 2: no'], 'BAD_ROWS');

describe('the end of a command', () => {
  it.each([
    [refused, 1],
    [new CliError('What?', 'usage'), 2],
    [new CliError('No answer came.', 'unreachable'), 3],
    [new Fault('unavailable', 'the event store is out of reach', { retryable: true }), 3],
    [new SettingRefused('The event store refuses the password of EVENTSTOREDB_URL.'), 1],
    [new Fault('undecodable', 'a seal that cannot be opened', { retryable: false }), 4],
    [new TypeError('x is undefined'), 4],
    [spoken(1), 2],
    [spoken(0), 0],
  ])('by %s has the exit code %d, with JSON and without', (error, exitCode) => {
    expect(reportError(error, false).exitCode).toBe(exitCode);
    expect(reportError(error, true).exitCode).toBe(exitCode);
  });

  it('is a sentence and its details, or one object with the same', () => {
    expect(reportError(refused, false).text).toBe('subledger: There are bad rows.\n  line 2: no\n');
    expect(JSON.parse(reportError(refused, true).text)).toEqual({
      error: {
        kind: 'refused',
        reason: 'BAD_ROWS',
        message: 'There are bad rows.',
        details: ['line 2: no'],
        exitCode: 1,
      },
    });
  });

  it('leaves to commander what commander has said, but where JSON is due', () => {
    expect(reportError(spoken(1), false).text).toBe('');
    expect(JSON.parse(reportError(spoken(1), true).text)).toMatchObject({
      error: { kind: 'usage', message: "unknown option '--colour'" },
    });
    expect(reportError(spoken(0), true).text).toBe('');
  });
});
