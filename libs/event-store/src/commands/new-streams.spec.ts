import { beforeEach, describe, expect, it } from 'vitest';
import { type CommandExecutor, createCommandExecutor } from './command-executor.js';
import { counter } from '../streams/spec-support/counter.js';
import type { EventStore } from '../streams/event-store.js';
import { add, context, raise } from './spec-support/counter-commands.js';
import { MemoryEventStore } from '../streams/spec-support/memory-event-store.js';

const STREAM = 'counter-1';

let store: MemoryEventStore;
let handler: CommandExecutor;

beforeEach(() => {
  store = new MemoryEventStore();
  handler = handlerOn(store);
});

function handlerOn(memory: MemoryEventStore, cacheSize?: number): CommandExecutor {
  // The command executor never subscribes.
  const asStore = memory as unknown as EventStore;
  return createCommandExecutor(asStore, cacheSize === undefined ? {} : { cacheSize });
}

describe('a command', () => {
  it('to a stream that is new appends without reading first', async () => {
    const result = await handler.execute(counter, '1', add(1), context, { isNew: true });
    expect(result).toMatchObject({ accepted: true, revision: 0 });
    expect(store.calls).toEqual(['append counter-1 at no_stream']);
  });

  it('to a stream that is there though it should be new is decided on what it holds', async () => {
    await handlerOn(store).execute(counter, '1', add(5), context);
    const result = await handler.execute(counter, '1', raise(6), context, { isNew: true });
    expect(result).toMatchObject({ accepted: true, state: { total: 6 }, revision: 1 });
    const unchanged = await handlerOn(store).execute(counter, '1', raise(6), context, {
      isNew: true,
    });
    expect(unchanged).toMatchObject({ accepted: true, state: { total: 6 }, events: [] });
    // On a new stream that would change nothing: it is read before that is said.
    const nothing = await handlerOn(store).execute(counter, '1', raise(0), context, {
      isNew: true,
    });
    expect(nothing).toMatchObject({ accepted: true, state: { total: 6 }, events: [] });
    expect(store.events(STREAM)).toHaveLength(2);
  });
});
