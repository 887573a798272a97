import { beforeEach, describe, expect, it } from 'vitest';
import type { Offer } from '#domain/checkout-link';
import { NO_BOUNDS, type PlanClaim, playerPlansAggregate } from '#domain/player-plans';
import { type StartedSubscription, subscriptionAggregate } from '#domain/subscription';
import {
  type CommandContext,
  type CommandExecutor,
  createCommandExecutor,
  type EventStore,
} from '#event-store';
import { Ledger } from '#nest';
import { newId } from '#platform';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import { ScheduledChanges } from './scheduled-changes.js';

/** Changes that wait for a plan which a player has once (rules/lifecycle 15). */
const NOW = '2027-02-10T10:00:00.000Z';
const DUE = '2027-02-28T10:00:00.000Z';
const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const id = newId('sub', NOW, '5f');
const bounds = { ...NO_BOUNDS, onePerPlayer: true };
const month = { value: 1, unit: 'month' } as const;
const context: CommandContext = {
  ...{ appId: 'app_1', environment: 'test', actor: 'app', correlationId: 'r', now: NOW },
};
const keyed = { ...context, commandId: 'app a key', commandHash: 'a body' };
const offer: Offer = {
  ...{ planId: 'plan_2', planName: 'Silver', planDescription: '', trial: null, bounds },
  ...{ price: { amountMinor: '499', currency: 'USD' }, period: month },
};
const { planId, price } = offer;
const asked = {
  offer,
  wanted: {
    ...{ plan: { planId, price, period: month }, amountMinor: null, restartsPeriod: false },
    unusedCredit: 'forfeit' as const,
  },
};
const other: PlanClaim = {
  ...{ claimId: 'cl_9/1', subscriptionId: 'sub_9', linkId: 'cl_9', attempt: 1 },
  ...{ planId, bounds, hasTrial: false },
};

let store: MemoryEventStore;
let commands: CommandExecutor;
let changes: ScheduledChanges;

beforeEach(async () => {
  store = new MemoryEventStore();
  commands = createCommandExecutor(store as unknown as EventStore);
  changes = new ScheduledChanges(new Ledger(commands));
  const terms = {
    ...{ subscriptionId: id, appId: 'app_1', player: PLAYER, planId: 'plan_1', period: month },
    ...{ price: { amountMinor: '999', currency: 'USD' }, trial: null, paymentMethod: 'pm_ok' },
    ...{ checkoutLinkId: 'cl_1', regionCode: '', personal: {} },
  };
  const now = '2027-01-31T10:00:00.000Z';
  const initialPayment = { paymentId: 'pay_1', paymentRevision: 1 };
  const create = { kind: 'CreateSubscription', terms, initialPayment, now } as const;
  await commands.execute(subscriptionAggregate, id, create, { ...context, now });
});

async function load(): Promise<StartedSubscription> {
  return (await commands.load(subscriptionAggregate, id)).state as StartedSubscription;
}

const takes = (claim: PlanClaim) =>
  commands.execute(
    ...([playerPlansAggregate, PLAYER, { kind: 'ClaimPlan', claim, now: NOW }, context] as const),
  );

const schedule = async (by = context) =>
  changes.schedule(await load(), asked, by).then(
    ({ effectiveAt }) => effectiveAt,
    (error: unknown) => (error as { reason: string }).reason,
  );

const answerBefore = (by = keyed) =>
  changes.answerBefore(id, by).then(
    (before) => before?.effectiveAt,
    (error: unknown) => (error as { reason: string }).reason,
  );

const plansOfPlayer = () =>
  store.events(`player_plans-${PLAYER}`).map(({ type, data }) => ({ type, data }));

describe('a change that waits for the end of the period', () => {
  it('has its plan claimed when it is answered, once', async () => {
    expect(await schedule()).toBe(DUE);
    expect(await schedule()).toBe(DUE);
    const { scheduledClaimId } = await load();
    expect(scheduledClaimId).not.toBe('');
    expect(plansOfPlayer()).toMatchObject([
      { type: 'player_plans.claimed.v1', data: { claimId: scheduledClaimId, planId } },
    ]);
  });

  it('is dropped and refused where another subscription was faster, and so again', async () => {
    await takes(other);
    expect(await schedule(keyed)).toBe('PLAN_ALREADY_HELD');
    expect((await load()).scheduledChange).toBeNull();
    expect(await answerBefore()).toBe('PLAN_ALREADY_HELD');
    expect(plansOfPlayer()).toHaveLength(2);
  });

  it('is answered again as it was', async () => {
    expect(await answerBefore()).toBeUndefined();
    expect(await schedule(keyed)).toBe(DUE);
    expect(await answerBefore()).toBe(DUE);
    expect(await changes.answerBefore(id, context)).toBeUndefined();
  });

  it('claims nothing where nothing bounds the plan, or where the present one is kept', async () => {
    const free = { ...asked, offer: { ...offer, bounds: null } };
    expect((await changes.schedule(await load(), free, context)).effectiveAt).toBe(DUE);
    const { planId: present, price: paid, period } = await load();
    const kept = {
      offer: { ...offer, planId: present },
      wanted: { ...asked.wanted, plan: { planId: present, price: paid, period } },
    };
    expect((await changes.schedule(await load(), kept, context)).effectiveAt).toBe(NOW);
    expect(plansOfPlayer()).toEqual([]);
  });
});
