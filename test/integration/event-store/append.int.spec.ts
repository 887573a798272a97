import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { eventually, untilReached } from '../../support/eventually.js';
import { added, collect, CuttableLine, RestartableStore } from './support.js';

let server: RestartableStore;
let line: CuttableLine;
/** Over a line that can be cut. */
let store: EventStore;
/** Straight to the server. */
let observer: EventStore;

beforeAll(async () => {
  server = await RestartableStore.start();
  observer = connectEventStore(server.connectionString);
});
afterAll(async () => {
  await observer.dispose();
  await server.remove();
});
beforeEach(async () => {
  line = await CuttableLine.to(server);
  store = connectEventStore(line.connectionString, {
    appendLimits: { attemptMs: 500, retryForMs: 2_000 },
  });
});
afterEach(async () => {
  await store.dispose();
  await line.close();
});

describe('an append', () => {
  it('gives the revision and the position of its last event', async () => {
    const first = await store.append('append-1', 'no_stream', [added(), added()]);
    const second = await store.append('append-1', 1, [added()]);
    expect(first.revision).toBe(1);
    expect(second.revision).toBe(2);
    expect(second.position > first.position).toBe(true);
    expect(first.position).toMatch(/^\d{20}$/);
    const events = await collect(store.readStream('append-1'));
    expect(events.map(({ revision }) => revision)).toEqual([0, 1, 2]);
    expect(events[1]?.position).toBe(first.position);
  });

  it('that is too big is refused, and not repeated', async () => {
    const huge = { ...added(), data: { text: 'x'.repeat(2 * 1024 * 1024) } };
    // With the usual limits: two megabytes take their time on a busy machine.
    const patient = connectEventStore(server.connectionString);
    await expect(patient.append('append-4', 'no_stream', [huge])).rejects.toMatchObject({
      code: 'refused',
      retryable: false,
    });
    await patient.dispose();
    expect(await store.headRevision('append-4')).toBe(-1);
  });

  it('in a burst on a fresh connection is answered like any other', async () => {
    // With the usual limits: those of the other tests are for answers that never come.
    const fresh = connectEventStore(server.connectionString);
    const burst = Array.from({ length: 1_000 }, (_, index) =>
      fresh.append(`burst-${index}`, 'no_stream', [added()]),
    );
    const results = await Promise.all(burst);
    await fresh.dispose();
    expect(results.every(({ revision }) => revision === 0)).toBe(true);
  });
});

describe('an append whose answer is lost', () => {
  it('is repeated when the connection breaks, and stored once', async () => {
    await store.append('lost-1', 'no_stream', [added()]);
    line.loseAnswers();
    const appending = store.append('lost-1', 0, [added(2), added(3)]);
    await eventually(async () => (await observer.headRevision('lost-1')) === 2);
    line.cut();
    expect(await appending).toMatchObject({ revision: 2 });
    const events = await collect(observer.readStream('lost-1'));
    expect(events.map(({ data }) => data)).toEqual([{ amount: 1 }, { amount: 2 }, { amount: 3 }]);
  });

  it('is repeated when no answer comes in time', async () => {
    await store.append('lost-2', 'no_stream', [added()]);
    line.loseAnswers();
    const appending = store.append('lost-2', 0, [added()]);
    await eventually(async () => (await observer.headRevision('lost-2')) === 1);
    const reset = setTimeout(() => line.cut(), 700);
    expect(await appending).toMatchObject({ revision: 1 });
    clearTimeout(reset);
    expect(await observer.headRevision('lost-2')).toBe(1);
  });

  it('succeeds though another append came in between', async () => {
    await store.append('lost-3', 'no_stream', [added()]);
    line.loseAnswers();
    const appending = store.append('lost-3', 0, [added()]);
    await eventually(async () => (await observer.headRevision('lost-3')) === 1);
    await observer.append('lost-3', 1, [added()]);
    line.cut();
    expect(await appending).toMatchObject({ revision: 1 });
    expect(await observer.headRevision('lost-3')).toBe(2);
  });

  it('with any revision is not repeated, but a fault', async () => {
    await store.append('lost-4', 'no_stream', [added()]);
    line.loseAnswers();
    const appending = store.append('lost-4', 'any', [added()]);
    const failed = expect(appending).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(async () => (await observer.headRevision('lost-4')) === 1);
    line.cut();
    await failed;
    expect(await observer.headRevision('lost-4')).toBe(1);
  });
});

describe('an event store that is away', () => {
  it('for a moment is waited for', async () => {
    await store.append('away-1', 'no_stream', [added()]);
    await server.stop();
    const appending = store.append('away-1', 0, [added()]);
    await server.start();
    expect(await appending).toMatchObject({ revision: 1 });
  });

  it('for long is a retryable fault, in bounded time, and the client recovers by itself', async () => {
    await store.append('away-2', 'no_stream', [added()]);
    await server.stop();
    const unavailable = { code: 'unavailable', retryable: true };
    await expect(collect(store.readStream('away-2'))).rejects.toMatchObject(unavailable);
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    await expect(store.append('away-2', 0, [added()])).rejects.toMatchObject(unavailable);
    await server.start();
    await untilReached(store);
    expect(await store.append('away-2', 0, [added()])).toMatchObject({ revision: 1 });
  });
});
