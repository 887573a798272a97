import { describe, expect, it, jest } from '@jest/globals';
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
import { waitGivenBackMs } from './given-back.js';
import type { RetryQueue } from './retry-queue.js';
import type { RetrySet } from './retry-set.js';

const GONE: DeliveryOutcome = {
  ...{ kind: 'failed', reason: 'it answered 410', type: 'subscription.canceled', isGone: true },
  ...{ retryAfterMs: 0, tookMs: 5, endpoint: undefined, attempt: undefined },
};

function createSettlement(isDisabled: boolean) {
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
  return { settlement, givenUp, ended };
}

/** An attempt was answered with 410, after so many others. */
async function answerGone(attempts: number, isDisabled: boolean) {
  const { settlement, givenUp, ended } = createSettlement(isDisabled);
  const queue = new EndpointQueue('whe_1', 'app_1');
  const earlier = { attempts, firstFailedAtMs: 1, dueAtMs: undefined, isAside: false };
  queue.add(delivery(1), earlier);
  await settlement.settle(queue, queue.offer()!, GONE);
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

describe('a delivery that goes back, since our own side failed', () => {
  it('waits longer each time in a row, up to a bound', () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.999);
    const waits = [0, 1, 2, 3, 4, 5, 99].map((times) => waitGivenBackMs(times) / 1_000);
    expect(waits.map(Math.round)).toEqual([1, 3, 5, 9, 16, 16, 16]);
    random.mockRestore();
  });

  it('has a place of its endpoint meanwhile, and counts the times until its receiver is reached', async () => {
    const { settlement } = createSettlement(false);
    const queue = new EndpointQueue('whe_1', 'app_1');
    queue.add(delivery(1));
    for (const before of [0, 1, 2]) {
      const item = queue.offer()!;
      expect(item.givenBack).toBe(before);
      queue.endAttempt(item);
      const settled = settlement.settle(queue, item, { kind: 'givenBack' });
      expect([queue.ending, queue.ready]).toEqual([1, 0]);
      // The wait ends with a stop.
      settlement.stop();
      await settled;
    }
    await settlement.settle(queue, queue.offer()!, GONE);
    expect(queue.find(delivery(1).member)).toMatchObject({ attempts: 1, givenBack: 0 });
  });
});
