import { beforeEach, describe, expect, it } from 'vitest';
import { COMMAND_RECORDED } from '#domain/event';
import { createCommandExecutor } from './command-executor.js';
import type { CommandOptions } from './command-execution.js';
import type { EventStore } from '../streams/event-store.js';
import { counter, type Counter } from '../streams/spec-support/counter.js';
import { MemoryEventStore } from '../streams/spec-support/memory-event-store.js';

const LEVEL = 5;
const CLOSED = 100;
const limited: CommandOptions<Counter> = {
  recording: { isNeeded: ({ total }) => total < CLOSED, max: 3 },
};
const REFUSED = { accepted: false, rejection: { code: 'command/too_many_keys' } };
const REUSED = { accepted: false, rejection: { code: 'command/key_reused' } };

let store: MemoryEventStore;

beforeEach(() => {
  store = new MemoryEventStore();
});

/** By the store alone, or by a handler's memory. */
function createExecutor(cacheSize: number) {
  const handler = createCommandExecutor(store as unknown as EventStore, { cacheSize });
  const run = (kind: 'add' | 'raise', amount: number, key?: string, hash = 'a') => {
    const command = kind === 'add' ? { kind, amount } : { kind, to: amount };
    const keyed = key !== undefined && { commandId: key, commandHash: hash };
    const now = '2026-01-31T10:00:00.000Z';
    const context = { appId: 'app_1', environment: 'test', actor: 'x', correlationId: 'r', now };
    return handler.execute(
      counter,
      '1',
      command,
      { ...context, environment: 'test', ...keyed },
      limited,
    );
  };
  return run;
}

function countRecorded(): number {
  return store.events('counter-1').filter(({ type }) => type === COMMAND_RECORDED).length;
}

describe.each([
  ['what only the store has', 0],
  ['what the handler remembers', 10],
])('limits of recorded commands, by %s', (_, cacheSize) => {
  it('leave none where a repetition could not be answered otherwise', async () => {
    const run = createExecutor(cacheSize);
    await run('add', CLOSED);
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      const result = await run('raise', CLOSED, key);
      expect(result).toMatchObject({ accepted: true, replayed: false, revision: 0 });
    }
    expect(store.events('counter-1')).toHaveLength(1);
  });

  it('keep so many, refuse one more, and go on knowing those', async () => {
    const run = createExecutor(cacheSize);
    await run('add', LEVEL);
    for (const key of ['a', 'b', 'c']) await run('raise', LEVEL, key);
    expect(await run('raise', LEVEL, 'd')).toMatchObject(REFUSED);
    expect(countRecorded()).toBe(3);
    expect(await run('raise', LEVEL, 'a')).toMatchObject({ accepted: true, replayed: true });
    expect(await run('raise', LEVEL, 'a', 'b')).toMatchObject(REUSED);
    expect(await run('raise', LEVEL)).toMatchObject({ accepted: true });
    expect(countRecorded()).toBe(3);
  });

  it('leave a refused key free, and take any that changes something', async () => {
    const run = createExecutor(cacheSize);
    await run('add', LEVEL);
    for (const key of ['a', 'b', 'c']) await run('raise', LEVEL, key);
    expect(await run('raise', LEVEL, 'd')).toMatchObject(REFUSED);
    expect(await run('add', 1, 'd', 'b')).toMatchObject({ accepted: true, replayed: false });
    expect(await run('add', 1, 'd', 'b')).toMatchObject({ accepted: true, replayed: true });
  });

  it('hold also when many come at once', async () => {
    const run = createExecutor(cacheSize);
    await run('add', LEVEL);
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const results = await Promise.all(keys.map(async (key) => run('raise', LEVEL, key)));
    expect(results.filter(({ accepted }) => accepted)).toHaveLength(3);
    expect(countRecorded()).toBe(3);
  });
});
