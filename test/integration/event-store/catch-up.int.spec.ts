import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Position } from '#domain/event';
import { type EventStore, type FeedItem, runCatchUp, START } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createLogger } from '#platform';
import { eventually, untilReached } from '../../support/eventually.js';
import { added, CuttableLine, RestartableStore } from './support.js';

const log = createLogger('test', { level: 'silent' });

let server: RestartableStore;
let line: CuttableLine;
let store: EventStore;
/** Straight to the server. */
let writer: EventStore;

beforeAll(async () => {
  server = await RestartableStore.start();
  writer = connectEventStore(server.connectionString);
});
afterAll(async () => {
  await writer.dispose();
  await server.remove();
});
beforeEach(async () => {
  line = await CuttableLine.to(server);
  store = connectEventStore(line.connectionString, { knownTypes: ['counter.added.v1'] });
});
afterEach(async () => {
  await store.dispose();
  await line.close();
});

/** A reader that keeps its events together with its checkpoint, as read models do. */
class Reader {
  readonly items: FeedItem[] = [];
  readonly batchSizes: number[] = [];
  checkpoint: Position = START;
  caughtUp = 0;
  running = 0;
  /** Violations that must not be seen; thrown where they happen, they would only make the feed start again. */
  readonly violations: string[] = [];
  /** Called before a batch is kept; applying throws its error. */
  onBatch: (events: readonly FeedItem[]) => Promise<void> | void = () => undefined;
  readonly #controller = new AbortController();
  #done: Promise<void> | undefined;

  start(categories: string[], batchSize = 256): void {
    this.#done = runCatchUp({
      store,
      categories,
      batchSize,
      log,
      signal: this.#controller.signal,
      loadCheckpoint: () => Promise.resolve(this.checkpoint),
      handleBatch: (events, upTo) => this.#apply(events, upTo),
      onCaughtUp: () => (this.caughtUp += 1),
    });
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#done;
    expect(this.violations).toEqual([]);
  }

  get amounts(): number[] {
    return this.items.map((item) =>
      'undecodable' in item ? NaN : (item.data as { amount: number }).amount,
    );
  }

  async #apply(events: readonly FeedItem[], upTo: Position): Promise<void> {
    this.running += 1;
    if (this.running !== 1) this.violations.push('two batches at a time');
    await this.onBatch(events);
    const last = events.at(-1)?.position ?? START;
    if (upTo < this.checkpoint) this.violations.push(`back from ${this.checkpoint} to ${upTo}`);
    if (upTo < last) this.violations.push(`up to ${upTo} with an event at ${last}`);
    this.items.push(...events);
    this.batchSizes.push(events.length);
    this.checkpoint = upTo;
    this.running -= 1;
  }
}

async function appendNumbers(streamName: string, from: number, to: number): Promise<Position> {
  const amounts = Array.from({ length: to - from }, (_, index) => from + index);
  const { position } = await writer.append(
    streamName,
    from === 0 ? 'no_stream' : from - 1,
    amounts.map((amount) => added(amount)),
  );
  return position;
}

const numbers = (to: number) => Array.from({ length: to }, (_, index) => index);

describe('catching up', () => {
  it('delivers what is there and what comes, in order, in batches, once', async () => {
    await appendNumbers('one-1', 0, 1_000);
    const reader = new Reader();
    reader.start(['one'], 100);
    await eventually(() => reader.caughtUp === 1);
    expect(reader.amounts).toEqual(numbers(1_000));
    expect(Math.max(...reader.batchSizes)).toBeLessThanOrEqual(100);
    expect(reader.batchSizes.length).toBeLessThan(200);
    const position = await appendNumbers('one-1', 1_000, 1_500);
    await eventually(() => reader.checkpoint >= position);
    expect(reader.amounts).toEqual(numbers(1_500));
    await reader.stop();
  });

  it('reads a whole batch while the one before it is applied', async () => {
    await appendNumbers('whole-1', 0, 2_000);
    const reader = new Reader();
    // Every event goes over the same connection meanwhile, twice, so that a batch of them has come.
    reader.onBatch = async () => {
      for (let time = 0; time < 2; time += 1) {
        for await (const { type } of store.readStream('whole-1')) expect(type).toBeDefined();
      }
    };
    reader.start(['whole'], 1_000);
    await eventually(() => reader.caughtUp === 1);
    expect(reader.amounts).toEqual(numbers(2_000));
    expect(Math.max(...reader.batchSizes)).toBeGreaterThan(500);
    await reader.stop();
  });

  it('reports how far it has come though no event of it matches the filter', async () => {
    const reader = new Reader();
    reader.start(['three']);
    const before = await appendNumbers('noise-3', 0, 100);
    await eventually(() => reader.checkpoint >= before);
    // Each single event outside the filter advances the position: no reader waits for the next one.
    for (let count = 100; count < 110; count += 1) {
      const position = await appendNumbers('noise-3', count, count + 1);
      await eventually(() => reader.checkpoint >= position);
    }
    expect(reader.items).toEqual([]);
    await reader.stop();
  });

  it('never calls done what is still to be handled', async () => {
    const reader = new Reader();
    const applied = new Set<Position>();
    reader.onBatch = async (events) => {
      // Slow enough that events and checkpoints pile up behind it.
      await new Promise((resolve) => setTimeout(resolve, 3));
      for (const event of events) applied.add(event.position);
    };
    reader.start(['four'], 7);
    const expected: Position[] = [];
    for (let index = 0; index < 60; index += 1) {
      expected.push(await appendNumbers('four-1', index, index + 1));
      await appendNumbers('noise-4', index * 3, index * 3 + 3);
      const behind = expected.filter((position) => position <= reader.checkpoint);
      expect(behind.every((one) => applied.has(one))).toBe(true);
    }
    const last = await appendNumbers('noise-4', 180, 181);
    await eventually(() => reader.checkpoint >= last);
    expect(reader.amounts).toEqual(numbers(60));
    await reader.stop();
  });

  it('stops at once when it is aborted, and leaves nothing behind', async () => {
    const reader = new Reader();
    reader.start(['seven']);
    await eventually(() => reader.caughtUp === 1);
    await reader.stop();
    const position = await appendNumbers('seven-1', 0, 1);
    const other = new Reader();
    other.start(['seven']);
    await eventually(() => other.checkpoint >= position);
    expect(reader.items).toEqual([]);
    await other.stop();
  });
});

describe('catching up goes on without a gap and without a repetition', () => {
  it('when the line is cut, again and again', async () => {
    const reader = new Reader();
    reader.start(['cut'], 16);
    let position: Position = START;
    for (let round = 0; round < 8; round += 1) {
      position = await appendNumbers('cut-1', round * 100, round * 100 + 100);
      await eventually(() => reader.items.length > round * 100 + 20);
      line.cut();
    }
    await eventually(() => reader.checkpoint >= position);
    expect(reader.amounts).toEqual(numbers(800));
    await reader.stop();
  });

  it('when the store is restarted', async () => {
    const reader = new Reader();
    reader.start(['restart']);
    await appendNumbers('restart-1', 0, 300);
    await server.restart();
    await untilReached(writer);
    const position = await appendNumbers('restart-1', 300, 600);
    await eventually(() => reader.checkpoint >= position);
    expect(reader.amounts).toEqual(numbers(600));
    await reader.stop();
  });

  it('when applying a batch fails', async () => {
    const reader = new Reader();
    let failures = 3;
    reader.onBatch = () => {
      if (failures === 0) return;
      failures -= 1;
      reader.running -= 1;
      throw new Error('Redis is away');
    };
    const position = await appendNumbers('failing-1', 0, 300);
    reader.start(['failing'], 64);
    await eventually(() => reader.checkpoint >= position);
    expect(reader.amounts).toEqual(numbers(300));
    expect(failures).toBe(0);
    await reader.stop();
  });
});
