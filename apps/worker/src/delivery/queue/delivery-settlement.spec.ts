import { describe, expect, it, vi } from 'vitest';
import type { ExhaustedDelivery } from '#worker-state';
import { wallClock } from '#platform';
import type { RunningEndpoint } from '#tenancy';
import type { InFlightSet } from '../../redis/in-flight-set.js';
import { createGate } from '../../feed/spec-support/gate.js';
import { silent } from '../../spec-support/fakes.js';
import { delivery } from '../send/spec-support/delivery.js';
import type { DeliveryOutcome } from '../send/delivery-act.js';
import type { DeliveryLogWriter } from '../send/delivery-log-writer.js';
import { DeliveryOutcomes } from './delivery-outcomes.js';
import { DeliverySettlement } from './delivery-settlement.js';
import { EndpointQueue } from './endpoint-queue.js';
import type { RetryQueue } from '../../jobs/retry-queue.js';

const GONE: Extract<DeliveryOutcome, { kind: 'failed' }> = {
  ...{ kind: 'failed', reason: 'it answered 410', type: 'subscription.canceled', isGone: true },
  ...{ retryAfterMs: 0, tookMs: 5, endpoint: undefined, attempt: undefined },
};

function createSettlement(isDisabled: boolean) {
  const givenUp: ExhaustedDelivery[] = [];
  const inFlight: Partial<InFlightSet> = {
    end: async (_, exhausted) => {
      if (exhausted !== undefined) givenUp.push(exhausted);
    },
  };
  const added: number[] = [];
  const retries: Partial<RetryQueue> = { add: async (_, delayMs) => void added.push(delayMs) };
  const settlement = new DeliverySettlement(
    new DeliveryOutcomes(
      ...([inFlight as InFlightSet, retries as RetryQueue, createGate().gate] as const),
      ...([{ position: '' }, wallClock, silent] as const),
    ),
    { succeeded: async () => undefined, failed: async () => isDisabled },
    { waitMs: () => 1 },
    {} as DeliveryLogWriter,
    silent,
  );
  return { settlement, givenUp, added };
}

/** An attempt was answered with 410, after so many others. */
async function answerGone(attempts: number, isDisabled: boolean) {
  const { settlement, ...seen } = createSettlement(isDisabled);
  const queue = new EndpointQueue('whe_1', 'app_1');
  queue.add(delivery(1), { attempts, firstFailedAtMs: 1 });
  const item = queue.find(delivery(1).member)!;
  queue.begin(item, attempts);
  const after = await settlement.settle(queue, item, GONE);
  return { queue, after, ...seen };
}

describe('a delivery whose last attempt is answered with 410', () => {
  it('waits until the endpoint is enabled, as all do that a disabled one holds', async () => {
    const { queue, givenUp, after } = await answerGone(11, true);
    expect([givenUp, queue.size, queue.isHeld]).toEqual([[], 1, true]);
    expect(after.kind).toBe('putOff');
    expect(queue.find(delivery(1).member)).toMatchObject({ attempts: 11, waitsFor: 'retry' });
  });

  it('is given up where the endpoint is not disabled: it was changed meanwhile', async () => {
    const { queue, givenUp, after } = await answerGone(11, false);
    expect([givenUp, queue.size, after]).toMatchObject([[{ attempts: 12 }], 0, { kind: 'over' }]);
  });

  it('has another attempt where it was not the last one', async () => {
    const { queue, givenUp, added, after } = await answerGone(3, true);
    expect([givenUp, queue.find(delivery(1).member)]).toMatchObject([[], { attempts: 4 }]);
    // Its job counts the attempt, and no second one is added.
    expect([after, added]).toMatchObject([{ kind: 'failed', reason: GONE.reason }, []]);
  });
});

describe('a delivery that failed', () => {
  it('is tried again at once where its endpoint was enabled while it was tried', async () => {
    const { settlement, added } = createSettlement(false);
    const queue = new EndpointQueue('whe_1', 'app_1');
    queue.add(delivery(1));
    const item = queue.offer()!;
    queue.letGo('tuesday');
    // Fields that are not looked at here are left out.
    const endpoint = { enabledAt: 'monday' } as RunningEndpoint;
    const after = await settlement.settle(queue, item, { ...GONE, endpoint });
    expect([added, after]).toMatchObject([[0], { kind: 'failed', delayMs: 0 }]);
    queue.begin(item, 1);
    const again = { ...endpoint, enabledAt: 'tuesday' };
    const later = await settlement.settle(queue, item, { ...GONE, endpoint: again });
    expect(later).not.toMatchObject({ delayMs: 0 });
  });

  it('keeps its job where its end cannot be noted: another process takes it up', async () => {
    const { settlement } = createSettlement(false);
    const queue = new EndpointQueue('whe_1', 'app_1');
    queue.add(delivery(1), { attempts: 2, firstFailedAtMs: 1 });
    const item = queue.find(delivery(1).member)!;
    queue.begin(item, 2);
    settlement.stop();
    const after = await settlement.settle(queue, item, { kind: 'ended' });
    expect([after.kind, queue.size]).toEqual(['putOff', 1]);
  });
});

describe('a delivery that goes back, since our own side failed', () => {
  it('waits longer each time in a row, up to a bound', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.999);
    const waits: number[] = [];
    for (const times of [0, 1, 2, 3, 4, 5, 99]) {
      const { settlement } = createSettlement(false);
      const queue = new EndpointQueue('whe_1', 'app_1');
      queue.add(delivery(1), { attempts: 1, firstFailedAtMs: 1 });
      const item = queue.find(delivery(1).member)!;
      item.requeued = times;
      queue.begin(item, 1);
      const after = await settlement.settle(queue, item, { kind: 'requeued' });
      waits.push(after.kind === 'putOff' ? after.forMs / 1_000 : NaN);
    }
    expect(waits.map(Math.round)).toEqual([1, 3, 5, 9, 16, 16, 16]);
    random.mockRestore();
  });

  it('has a slot of its endpoint meanwhile, and counts the times until its receiver is reached', async () => {
    const { settlement } = createSettlement(false);
    const queue = new EndpointQueue('whe_1', 'app_1');
    queue.add(delivery(1));
    for (const before of [0, 1, 2]) {
      const item = queue.offer()!;
      expect(item.requeued).toBe(before);
      const settled = settlement.settle(queue, item, { kind: 'requeued' });
      expect([queue.offered, queue.ready]).toEqual([1, 0]);
      // The wait ends with a stop.
      settlement.stop();
      await settled;
    }
    await settlement.settle(queue, queue.offer()!, GONE);
    expect(queue.find(delivery(1).member)).toMatchObject({ attempts: 1, requeued: 0 });
  });
});
