import { beforeEach, describe, expect, it } from 'vitest';
import {
  breakers,
  endpointsBehind,
  forgetPartitions,
  oldestWebhook,
  webhookEndpoints,
  webhooksInFlight,
} from '../metrics.js';
import { at, createLease } from '../spec-support/fakes.js';
import { EndpointMetrics } from './endpoint-metrics.js';
import { EndpointQueues } from '../delivery/queue/endpoint-queue.js';

const NOW = '2026-01-01T01:00:00.000Z';

type Figures = typeof webhookEndpoints;

async function readByClass(gauge: Figures): Promise<Record<string, number>> {
  const { values } = await gauge.get();
  return Object.fromEntries(
    values.map(({ labels, value }) => [String(labels.class), Math.round(value)]),
  );
}

describe('the metrics of endpoints', () => {
  const create = () => {
    const queues = new EndpointQueues();
    const failing = new Set<string>();
    const cursors = { all: new Map([['whe_held', at(9)]]) };
    const clock = { now: () => NOW };
    const open = new Map<string, 'open' | 'half_open'>();
    const limiter = {
      findBreaker: (endpointId: string) => open.get(endpointId),
      isFailing: (endpointId: string) => failing.has(endpointId),
    };
    const store = { findTime: async (position: string) => written.get(position) };
    const written = new Map<string, string>();
    const metrics = new EndpointMetrics(
      ...([queues, limiter, cursors, store, createLease(), clock] as const),
    );
    return { queues, failing, metrics, open, written };
  };
  const add = (queues: EndpointQueues, target: string, n: number) => {
    const [messageId, streamName] = [`msg_${n}`, `subscription-sub_${n}`];
    const member = `${at(n)} ${target} ${streamName} 0 0 ${messageId}`;
    const delivery = { member, position: at(n), target, streamName, revision: 0, messageId };
    queues.require(target, 'app_1').add(delivery, { attempts: 1, firstFailedAtMs: 0 });
  };

  beforeEach(() => forgetPartitions());

  it('are by class: healthy, failing or held, with the oldest that waits in each', async () => {
    const { queues, failing, metrics, written } = create();
    written.set(at(4), '2026-01-01T00:00:00.000Z');
    add(queues, 'whe_1', 1);
    add(queues, 'whe_2', 2);
    add(queues, 'whe_2', 3);
    add(queues, 'whe_failing', 4);
    failing.add('whe_failing');
    add(queues, 'whe_held', 5);
    queues.require('whe_held', 'app_1').hold();
    await metrics.measure();
    expect(await readByClass(webhookEndpoints)).toEqual({ healthy: 2, failing: 1, held: 1 });
    expect(await readByClass(webhooksInFlight)).toEqual({ healthy: 3, failing: 1, held: 1 });
    expect(await readByClass(oldestWebhook)).toEqual({ healthy: 0, failing: 3_600, held: 0 });
    expect((await endpointsBehind.get()).values).toMatchObject([{ value: 1 }]);
  });

  it('say of the oldest how long ago its event was written, also where it was taken up just now', async () => {
    const { queues, metrics, written } = create();
    add(queues, 'whe_1', 8);
    add(queues, 'whe_2', 7);
    written.set(at(7), '2026-01-01T00:50:00.000Z').set(at(8), '2026-01-01T00:55:00.000Z');
    await metrics.measure();
    expect(await readByClass(oldestWebhook)).toEqual({ healthy: 600, failing: 0, held: 0 });
  });

  it('say which breakers are open, by the class of their endpoints', async () => {
    const { queues, failing, metrics, open } = create();
    for (const [n, id] of ['whe_1', 'whe_2', 'whe_held'].entries()) add(queues, id, n);
    failing.add('whe_2');
    queues.require('whe_held', 'app_1').hold();
    open.set('whe_2', 'half_open').set('whe_held', 'open').set('whe_idle', 'open');
    await metrics.measure();
    const values = (await breakers.get()).values.filter(({ value }) => value > 0);
    expect(values.map(({ labels, value }) => [labels.class, labels.state, value])).toEqual([
      ...[
        ['failing', 'half_open', 1],
        ['held', 'open', 1],
      ],
    ]);
  });

  it('are none of a class again when its last delivery has ended', async () => {
    const { queues, failing, metrics } = create();
    add(queues, 'whe_1', 1);
    failing.add('whe_1');
    await metrics.measure();
    const queue = queues.require('whe_1', 'app_1');
    if (queue.oldest !== undefined) queue.remove(queue.oldest);
    await metrics.measure();
    const none = { healthy: 0, failing: 0, held: 0 };
    expect(await readByClass(webhookEndpoints)).toEqual(none);
    expect(await readByClass(oldestWebhook)).toEqual(none);
  });
});
