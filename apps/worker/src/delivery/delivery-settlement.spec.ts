import { describe, expect, it } from '@jest/globals';
import type { ExhaustedDelivery } from '#checkpoint-backup';
import { wallClock } from '#platform';
import type { FeedCheckpoint } from '../feed/feed-checkpoint.js';
import type { InFlightSet } from '../feed/in-flight-set.js';
import { createGate, silent } from '../spec-support/fakes.js';
import { delivery } from './spec-support/deliveries.js';
import type { DeliveryOutcome } from './delivery-act.js';
import type { DeliveryLogWriter } from './delivery-log-writer.js';
import { DeliveryOutcomes } from './delivery-outcomes.js';
import { DeliverySettlement } from './delivery-settlement.js';
import type { EndpointDisabling } from './endpoint-disabling.js';
import type { EndpointGate } from './endpoint-gate.js';
import { EndpointQueue } from './endpoint-queue.js';
import type { RetryQueue } from './retry-queue.js';
import type { RetrySet } from './retry-set.js';

/** An attempt was answered with 410, after so many others. */
async function answerGone(attempts: number, isDisabled: boolean) {
  const givenUp: ExhaustedDelivery[] = [];
  const ended: string[] = [];
  const inFlight: Partial<InFlightSet> = {
    end: async (_, exhausted) => {
      if (exhausted !== undefined) givenUp.push(exhausted);
    },
  };
  const retries: Partial<RetryQueue> = { add: async () => undefined };
  const kept: Partial<RetrySet> = { keep: async () => undefined };
  const gate: Partial<EndpointGate> = { leave: () => undefined, failed: async () => undefined };
  const disabling: Partial<EndpointDisabling> = { disableIfDue: async () => isDisabled };
  const settlement = new DeliverySettlement(
    new DeliveryOutcomes(
      ...([inFlight as InFlightSet, retries as RetryQueue, kept as RetrySet] as const),
      ...([wallClock, silent] as const),
    ),
    gate as EndpointGate,
    disabling as EndpointDisabling,
    createGate().gate,
    {} as FeedCheckpoint,
    {} as DeliveryLogWriter,
    { end: ({ member }) => void ended.push(member) },
    silent,
  );
  const queue = new EndpointQueue('whe_1', 'app_1');
  const earlier = { attempts, firstFailedAtMs: 1, dueAtMs: undefined, isAside: false };
  queue.add(delivery(1), earlier);
  const outcome: DeliveryOutcome = {
    ...{ kind: 'failed', reason: 'it answered 410', type: 'subscription.canceled', isGone: true },
    ...{ retryAfterMs: 0, tookMs: 5, endpoint: undefined, attempt: undefined },
  };
  await settlement.settle(queue, queue.offer()!, outcome);
  return { queue, givenUp, ended };
}

describe('a delivery whose last attempt is answered with 410', () => {
  it('waits until the endpoint is enabled, as all do that a disabled one holds', async () => {
    const { queue, givenUp } = await answerGone(11, true);
    expect([givenUp, queue.size, queue.isHeld]).toEqual([[], 1, true]);
    queue.letGo(undefined);
    expect(queue.offer()).toMatchObject({ attempts: 11 });
  });

  it('is given up where the endpoint is not disabled: it was changed meanwhile', async () => {
    const { queue, givenUp, ended } = await answerGone(11, false);
    expect([givenUp, queue.size]).toMatchObject([[{ attempts: 12 }], 0]);
    expect(ended).toEqual([delivery(1).member]);
  });

  it('has another attempt where it was not the last one', async () => {
    const { queue, givenUp, ended } = await answerGone(3, true);
    // Its next attempt is of the same message.
    expect(ended).toEqual([]);
    expect([givenUp, queue.find(delivery(1).member)]).toMatchObject([[], { attempts: 4 }]);
  });
});
