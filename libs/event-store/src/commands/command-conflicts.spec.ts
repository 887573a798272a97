import { beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '#platform';
import { type CommandExecutor, createCommandExecutor } from './command-executor.js';
import { type EventStore, RevisionConflict } from '../streams/event-store.js';
import { counter } from '../streams/spec-support/counter.js';
import { add, context, NOW, raise } from './spec-support/counter-commands.js';
import { MemoryEventStore } from '../streams/spec-support/memory-event-store.js';

const STREAM = 'counter-1';

let store: MemoryEventStore;
let handler: CommandExecutor;

beforeEach(() => {
  store = new MemoryEventStore();
  handler = handlerOn(store);
});

function handlerOn(memory: MemoryEventStore): CommandExecutor {
  // The command executor never subscribes.
  return createCommandExecutor(memory as unknown as EventStore);
}

describe('a conflict', () => {
  it('is decided again on what is there then', async () => {
    await handler.execute(counter, '1', add(5), context);
    await handlerOn(store).execute(counter, '1', add(5), context);
    const result = await handler.execute(counter, '1', raise(11), context);
    expect(result).toMatchObject({ state: { total: 11 }, revision: 2 });
  });

  it('that does not end is a fault, and nothing was appended', async () => {
    store.onAppend = (streamName) => {
      store.appendNow(streamName, 'any', [foreign()]);
    };
    const handled = handler.execute(counter, '1', add(5), context);
    await expect(handled).rejects.toMatchObject({ code: 'conflict', retryable: true });
    expect(
      store.events(STREAM).every(({ data }) => (data as { amount: number }).amount === 1),
    ).toBe(true);
  });

  it('after an unknown outcome is a success when the events are there', async () => {
    store.onAppend = (streamName, events) => {
      store.appendNow(streamName, 'no_stream', events);
      store.appendNow(streamName, 'any', [foreign()]);
      throw new RevisionConflict(streamName, 1, true);
    };
    const result = await handler.execute(counter, '1', add(5), context);
    expect(result).toMatchObject({ accepted: true, state: { total: 5 }, revision: 0 });
    expect(store.events(STREAM)).toHaveLength(2);
  });

  it('after an unknown outcome is decided again when the events are not there', async () => {
    store.onAppend = (streamName) => {
      store.onAppend = () => undefined;
      store.appendNow(streamName, 'any', [foreign()]);
      throw new RevisionConflict(streamName, 0, true);
    };
    const result = await handler.execute(counter, '1', add(5), context);
    expect(result).toMatchObject({ accepted: true, state: { total: 6 }, revision: 1 });
  });
});

describe('a fault', () => {
  it('of the store is thrown on, and the same command can be sent again', async () => {
    const keyed = { ...context, commandId: 'key-1' };
    store.onAppend = () => {
      throw new Fault('unavailable', 'gone', { retryable: true });
    };
    await expect(handler.execute(counter, '1', add(5), keyed)).rejects.toThrow('gone');
    store.onAppend = () => undefined;
    expect(await handler.execute(counter, '1', add(5), keyed)).toMatchObject({ revision: 0 });
    expect(store.events(STREAM)).toHaveLength(1);
  });
});

function foreign() {
  return {
    id: crypto.randomUUID(),
    type: 'counter.added.v1',
    data: { amount: 1 },
    metadata: {
      $correlationId: 'other',
      actor: 'app',
      appId: 'app_1',
      environment: 'test' as const,
      occurredAt: NOW,
    },
  };
}

describe('a command to a stream that is taken for new', () => {
  it('appends without reading first', async () => {
    const result = await handler.execute(counter, '1', add(1), context, { isNew: true });
    expect(result).toMatchObject({ accepted: true, revision: 0 });
    expect(store.calls).toEqual(['append counter-1 at no_stream']);
  });

  it('is decided on what the stream holds where it is there', async () => {
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
