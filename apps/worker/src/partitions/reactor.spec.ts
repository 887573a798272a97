import { describe, expect, it } from 'vitest';
import type { Position } from '#domain/event';
import type { EventBatch, FeedItem, LedgerStore } from '#event-store';
import { Partitions } from '#event-store';
import { Fault } from '#platform';
import type { WorkerConnections } from '../connections.js';
import type { PartitionFeed } from '../feed/partition-feed.js';
import { at, createEvent, silent } from '../spec-support/fakes.js';
import { Reactor } from './reactor.js';

type Subscribed = Parameters<LedgerStore['subscribe']>[0];

/** In a ledger of two partitions: ids whose buckets are in the first one, and in the second. */
const LOW = 'sub_01kg9qxg8000d9zf3vcz2q1fb6nq';
const HIGH = 'sub_01kg9qxg80ffd9zf3vcz2q1fb6nq';

function run(batches: readonly EventBatch[], resumeAt: readonly number[], handles = true) {
  const log: string[] = [];
  const subscribed: Subscribed[] = [];
  const stop = new AbortController();
  const connections: Partial<WorkerConnections> = {
    partitions: new Partitions(2),
    log: silent,
    store: {
      subscribe: async function* (options: Subscribed) {
        subscribed.push(options);
        yield* batches;
        stop.abort();
      },
      headPosition: async () => at(20),
    } as unknown as LedgerStore,
    apps: {
      waitFor: async (position: Position) => void log.push(`apps ${Number(position)}`),
      catchUpTo: async (position: Position) => void log.push(`all apps ${Number(position)}`),
    } as unknown as WorkerConnections['apps'],
  };
  const feeds = resumeAt.map((position, partition) => {
    const feed: Partial<PartitionFeed> = {
      partition,
      categories: ['subscription'],
      resume: async () => {
        log.push(`${partition} resumes`);
        return at(position);
      },
      isLost: async () => false,
      handle: async (items: readonly FeedItem[], upTo: Position) => {
        const ids = items.map(({ streamName }) => streamName.slice(0, 26)).join();
        log.push(`${partition}: ${ids} up to ${Number(upTo)}`);
        if (!handles && partition === 0) {
          stop.abort();
          throw new Fault('conflict', 'fenced', { retryable: true });
        }
      },
    };
    return feed as PartitionFeed;
  });
  const reactor = new Reactor(connections as WorkerConnections);
  const ended = reactor.run(feeds, stop.signal, () => log.push('resumed'));
  return { ended, log, subscribed };
}

describe('the subscription of a worker', () => {
  it('begins at the lowest place of its partitions, with their buckets and the apps of all', async () => {
    const { ended, subscribed } = run([], [7]);
    await ended;
    const [{ after, buckets, categories, everywhere } = {} as Subscribed] = subscribed;
    expect([after, buckets, categories]).toEqual([
      at(7),
      [{ first: 0, last: 127 }],
      ['subscription'],
    ]);
    expect(everywhere).toEqual([
      ...['app', 'endpoint_list', 'webhook_endpoint', 'test_clock'],
      ...['tax_rates', 'parked_retry'],
    ]);
    const both = run([], [7, 3]);
    await both.ended;
    expect(both.subscribed[0]?.after).toBe(at(3));
    expect(both.subscribed[0]).not.toHaveProperty('buckets');
  });

  it('knows all apps and endpoints of the store before a partition goes on', async () => {
    const { ended, log } = run([], [7, 3]);
    await ended;
    expect(log).toEqual(['all apps 20', '0 resumes', '1 resumes', 'resumed']);
  });

  it('gives each partition its own events, and all of them the position', async () => {
    const events = [createEvent(LOW, 8), createEvent(HIGH, 9)];
    const { ended, log } = run([{ events, upTo: at(11) }], [7, 7]);
    await ended;
    expect(log.slice(log.indexOf('resumed'))).toEqual([
      'resumed',
      `0: subscription-${LOW.slice(0, 13)} up to 11`,
      `1: subscription-${HIGH.slice(0, 13)} up to 11`,
    ]);
  });

  it.each([
    ['an app', 'app'],
    ['tax rates', 'tax_rates'],
  ])('waits for %s to be known, before anything of the batch is worked on', async (_, category) => {
    const app = createEvent('', 8, { streamName: `${category}-app_01kg9qxg80ffd9zf3vcz2q1fb6nq` });
    const batches = [
      { events: [createEvent(LOW, 7), app], upTo: at(9) },
      { events: [createEvent(LOW, 10)], upTo: at(10) },
    ];
    const { ended, log } = run(batches, [6]);
    await ended;
    expect(log[log.indexOf('resumed') + 1]).toBe('apps 8');
    expect(log.filter((line) => line.startsWith('apps'))).toHaveLength(1);
  });

  it('lets all partitions end a batch, also when one of them has gone to another process', async () => {
    const { ended, log } = run([{ events: [], upTo: at(9) }], [7, 7], false);
    await ended;
    expect(log.slice(log.indexOf('resumed'))).toEqual(['resumed', '0:  up to 9', '1:  up to 9']);
  });
});
