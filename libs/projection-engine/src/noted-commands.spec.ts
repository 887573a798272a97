import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NotedCommands } from './define/index.js';
import { COMMANDS_NOTED } from './limits.js';
import { mayHoldCommand, noteCommand } from './noted-commands.js';

const FIRST = '2026-01-31T10:00:00.000Z';
const LATER = '2026-02-01T10:00:00.000Z';

/** What is noted after events of commands with these ids. */
function note(ids: readonly (string | undefined)[]): NotedCommands {
  let noted = noteCommand(undefined, event(undefined));
  for (const id of ids) noted = noteCommand(noted, event(id));
  return noted;
}

function event(commandId: string | undefined, occurredAt = FIRST) {
  const around = {
    $correlationId: 'r',
    actor: 'app',
    appId: 'app_1',
    environment: 'test',
  } as const;
  return { metadata: { ...around, occurredAt, ...(commandId !== undefined && { commandId }) } };
}

describe('the commands that a document notes', () => {
  it('are found again, however many there are', () => {
    const ids = fc.array(fc.string({ maxLength: 255 }), { maxLength: 2 * COMMANDS_NOTED });
    fc.assert(
      fc.property(ids, (keys) => {
        const noted = note(keys);
        for (const key of keys) expect(mayHoldCommand(noted, key)).toBe(true);
      }),
    );
  });

  it('are no others', () => {
    const noted = note(Array.from({ length: COMMANDS_NOTED }, (_, n) => `key-${n}`));
    const others = Array.from({ length: 1_000 }, (_, n) => `other-${n}`);
    expect(others.filter((key) => mayHoldCommand(noted, key))).toEqual([]);
  });

  it('are any, once there are more than it keeps', () => {
    const noted = note(Array.from({ length: COMMANDS_NOTED + 1 }, (_, n) => `key-${n}`));
    expect(noted.fingerprints.length).toBeLessThan(5);
    expect(mayHoldCommand(noted, 'other')).toBe(true);
    expect(noteCommand(noted, event('one more'))).toEqual(noted);
  });

  it('take no space where there are none, and one that left several events counts once', () => {
    expect(note([undefined, undefined]).fingerprints).toBe('');
    expect(note(['key', 'key', 'key'])).toEqual(note(['key']));
  });
});

describe('the time that a document notes', () => {
  it('is that of the last event, and never goes back', () => {
    const after = noteCommand(noteCommand(undefined, event('a', LATER)), event('b', FIRST));
    expect(after.lastOccurredAt).toBe(LATER);
  });
});
