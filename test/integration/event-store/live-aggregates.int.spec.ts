import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createCommandExecutor,
  type EventStore,
  type LiveAggregates,
  openLiveAggregates,
  START,
} from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createLogger, Fault } from '#platform';
import { added, context, counter, RestartableStore } from './support.js';

const LIMIT_MS = 60_000;
const closing = new AbortController();
const knownTypes = ['counter.added.v1'];
const asked: string[] = [];
let server: RestartableStore;
let own: EventStore;
let others: EventStore;
let live: LiveAggregates;

beforeAll(async () => {
  server = await RestartableStore.start();
  own = connectEventStore(server.connectionString, { knownTypes });
  others = connectEventStore(server.connectionString, { knownTypes });
  for (let batch = 0; batch < 20; batch += 1) {
    await others.append(
      `unrelated-${batch}`,
      'any',
      Array.from({ length: 100 }, () => added()),
    );
  }
  await others.append('counter-early', 'any', [added(3), added(4)]);
  live = await openLiveAggregates({
    store: recording(own),
    commands: createCommandExecutor(recording(own)),
    aggregates: [counter],
    signal: closing.signal,
    log: createLogger('test', { level: 'silent' }),
  });
});
afterAll(async () => {
  closing.abort();
  await own.dispose();
  await others.dispose();
  await server.remove();
});

/** The questions of a process to its store. */
function recording(store: EventStore): EventStore {
  return new Proxy(store, {
    get: (target, name: keyof EventStore) => {
      const call = target[name].bind(target) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        asked.push(name === 'subscribe' ? `subscribe after ${readAfter(args[0])}` : name);
        return call(...args);
      };
    },
  });
}

const readAfter = (options: unknown) =>
  (options as { after: string }).after === START ? 'START' : 'the head';

describe('live aggregates on a real store', () => {
  it('read nothing at the start, and no subscription begins at the start of the log', () => {
    expect(asked).toEqual(['headPosition', 'subscribe after the head']);
  });

  it('read a stream when it is first asked for, and follow what other processes write', async () => {
    expect((await live.get(counter, 'early')).state.total).toBe(7);
    const { position } = await others.append('counter-early', 1, [added(5)]);
    await live.waitFor(position, LIMIT_MS);
    expect(live.recall(counter, 'early')).toMatchObject({ state: { total: 12 }, revision: 2 });
    expect(asked.filter((call) => call === 'readStream')).toHaveLength(1);
  });

  it('catch up to the position of any event', async () => {
    const elsewhere = createCommandExecutor(others);
    await elsewhere.execute(counter, 'early', { amount: 1 }, context);
    const { position } = await others.append('unrelated-1', 'any', [added()]);
    await live.catchUpTo(position, LIMIT_MS);
    expect(live.recall(counter, 'early')?.state.total).toBe(13);
  });

  it('catch up with what others wrote before, and look at the events of others once', async () => {
    for (let round = 1; round <= 20; round += 1) {
      await others.append('counter-caught', 'any', [added()]);
      await live.get(counter, 'caught');
      await others.append('counter-caught', 'any', [added()]);
      await live.catchUp(LIMIT_MS);
      expect(live.recall(counter, 'caught')?.state.total).toBe(2 * round);
    }
    await others.append('unrelated-2', 'any', [added()]);
    await live.catchUp(LIMIT_MS);
    asked.splice(0);
    await live.catchUp(LIMIT_MS);
    expect(asked).toEqual(['headPosition']);
  });

  it('are read while others write to them, and miss nothing', async () => {
    const ids = Array.from({ length: 30 }, (_, id) => `busy-${id}`);
    let last = '';
    const writing = Promise.all(
      ids.map(async (id) => {
        for (let at = 0; at < 10; at += 1) {
          const { position } = await others.append(`counter-${id}`, 'any', [added()]);
          if (position > last) last = position;
        }
      }),
    );
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(ids.map((id) => live.get(counter, id)));
    }
    await writing;
    await live.waitFor(last, LIMIT_MS);
    expect(ids.map((id) => live.recall(counter, id)?.state.additions)).toEqual(ids.map(() => 10));
  });

  it('say that the store is away where memory has no answer, and go on when it is back', async () => {
    await server.stop();
    expect((await live.get(counter, 'early')).state.total).toBe(13);
    const refused = await live.get(counter, 'unread').catch((error: unknown) => error);
    expect(refused instanceof Fault && refused.retryable).toBe(true);
    await server.start();
    const { position } = await others.append('counter-early', 'any', [added(7)]);
    await live.waitFor(position, LIMIT_MS);
    expect(live.recall(counter, 'early')?.state.total).toBe(20);
  });
});
