import { beforeEach, describe, expect, it } from 'vitest';
import { planAggregate, planCodeAggregate, planCodeId } from '#domain/plan';
import { NO_BOUNDS } from '#domain/player-plans';
import { type CommandContext, createCommandExecutor, type EventStore } from '#event-store';
import { Ledger } from '#nest';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { CheckoutOffers } from './checkout-offers.js';

const NOW = '2027-01-31T10:00:00.000Z';
const appId = 'app_00000001';
const GOLD = { plan: { code: 'gold' }, currency: 'USD' };
const context: CommandContext = {
  ...{ appId, environment: 'test', actor: 'app', correlationId: 'r', now: NOW },
};

let store: MemoryEventStore;
let offers: CheckoutOffers;
const commands = () => createCommandExecutor(store as unknown as EventStore);

beforeEach(async () => {
  store = new MemoryEventStore();
  offers = new CheckoutOffers(new Ledger(commands()));
  await reserve('plan_1');
});

async function reserve(planId: string, abandonedPlanId?: string): Promise<void> {
  const reservation = { appId, segmentId: 'default', code: 'gold', planId };
  const abandoned = abandonedPlanId === undefined ? {} : { abandonedPlanId };
  const command = { kind: 'ReservePlanCode', reservation, ...abandoned } as const;
  const id = planCodeId(appId, 'default', 'gold');
  await commands().execute(planCodeAggregate, id, command, context);
}

async function createPlan(planId: string): Promise<void> {
  const period = { value: 1, unit: 'month' } as const;
  const plan = {
    ...{ planId, appId, segmentId: 'default', code: 'gold', name: 'Gold', description: '' },
    ...{ billingPeriod: period, prices: [{ amountMinor: '999', currency: 'USD' }], trial: null },
    ...{ benefitsJson: '{}', availableFrom: null, availableUntil: null, createdAt: NOW },
    ...NO_BOUNDS,
  };
  await commands().execute(planAggregate, planId, { kind: 'CreatePlan', plan }, context);
}

/** The streams that are read for an offer, or why there is none. */
async function readsFor(body: typeof GOLD = GOLD): Promise<readonly string[]> {
  store.calls.length = 0;
  await offers.find(appId, body, NOW);
  return store.calls.map((call) => call.split(' ')[1] ?? '');
}

describe('what a link sells', () => {
  it('is the plan as the store has it; its code is read once', async () => {
    await createPlan('plan_1');
    expect(await readsFor()).toEqual(['plan_code-app_00000001/default/gold', 'plan-plan_1']);
    expect(await readsFor()).toEqual(['plan-plan_1']);
  });

  it('is asked for once by requests of one moment', async () => {
    await createPlan('plan_1');
    await readsFor();
    store.calls.length = 0;
    await Promise.all([1, 2, 3].map(() => offers.find(appId, GOLD, NOW)));
    expect(store.calls).toHaveLength(1);
  });

  it('is that of the plan which took the code over from one that never was', async () => {
    await expect(offers.find(appId, GOLD, NOW)).rejects.toMatchObject({
      reason: 'PLAN_NOT_FOUND',
    });
    await reserve('plan_2', 'plan_1');
    await createPlan('plan_2');
    expect(await offers.find(appId, GOLD, NOW)).toMatchObject({ planId: 'plan_2' });
  });
});
