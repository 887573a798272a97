import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCommandExecutor, type EventStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import {
  createSandboxChallenges,
  createSandboxGateway,
  type PaymentGateway,
  SANDBOX_EVENT_TYPES,
} from '#gateway';
import { chargeOnce } from '../../../apps/worker/src/payments/once-at-gateway.js';
import { askTillAnswered, buildCharge } from '../../contract/gateway/charges.js';
import { itKeepsTheRulesOfTheGateway } from '../../contract/gateway/conformance.js';
import { forgettingKeys, losingAnswers } from '../../contract/gateway/moods.js';
import { RestartableStore } from '../event-store/support.js';
import { chargeToldFirst } from './told-first.js';

let now = Date.parse('2027-01-31T10:00:00.000Z');
const clock = { now: () => new Date(now).toISOString() };
let server: RestartableStore;
let store: EventStore;

beforeAll(async () => {
  server = await RestartableStore.start();
  store = connect();
});

afterAll(async () => {
  await store.dispose();
  await server.remove();
});

const usedAtMs = new Map<string, number>();
const lost = new Set<string>();

/** Another gateway for every call, with caches of its own: only the store and its mood are shared. */
const MOODS: Readonly<Record<string, () => PaymentGateway>> = {
  'in no mood': sandbox,
  'that forgets keys': () => forgettingKeys(sandbox(), { usedAtMs, nowMs: () => now }),
  'whose answers are lost': () => losingAnswers(sandbox(), lost),
};

describe.each(Object.entries(MOODS))('the sandbox gateway %s', (_mood, gateway) => {
  itKeepsTheRulesOfTheGateway({
    gateway,
    methods: {
      captured: 'pm_ok',
      declined: 'pm_decline_do_not_honor',
      pending: 'pm_pending',
      losesItsAnswer: 'pm_timeout',
      isDown: 'pm_unavailable',
    },
    challenges: {
      method: 'pm_authentication_required',
      decide: async (charge, isAccepted) => {
        await createSandboxChallenges({ commands: createCommandExecutor(store), clock }).decide(
          charge,
          isAccepted,
        );
      },
    },
    sumCaptured: listCaptured,
    settle: () => {
      now += 3_000;
      return Promise.resolve();
    },
  });

  it('is charged once by the worker, however late it asks again', async () => {
    const charge = buildCharge('pm_timeout');
    const askedAt = now;
    for (const ageHours of [0, 1, 22, 24, 48, 100, 1_000]) {
      now = askedAt + ageHours * 3_600_000;
      const use = { ageMs: now - askedAt, mayBeUsed: false };
      const outcome = await askTillAnswered(() => chargeOnce(gateway(), charge, use));
      expect(outcome.status).toBe('captured');
    }
    expect(await listCaptured(charge.reference)).toBe(999n);
  });
});

describe('the sandbox gateway', () => {
  it.each([
    ['pm_ok', 'payment.captured.v1', 999n],
    ['pm_decline_do_not_honor', 'payment.declined.v1', 0n],
    ['pm_timeout', 'payment.captured.v1', 999n],
  ])('that tells by a notice before it answers has one outcome: %s', async (method, type, sum) => {
    const ledger = connectEventStore(server.connectionString);
    try {
      const commands = createCommandExecutor(ledger);
      const parts = { store: ledger, commands, sandbox: sandbox() };
      const after = await chargeToldFirst(parts, method, 2);
      const settled = ['payment.requested.v3', type];
      expect(after).toEqual([settled, settled]);
      expect(await listCaptured(`sub_${method}`)).toBe(sum);
    } finally {
      await ledger.dispose();
    }
  });

  it('that forgets keys would charge twice where it is asked again without looking', async () => {
    const gateway = forgettingKeys(sandbox(), { usedAtMs, nowMs: () => now });
    const charge = buildCharge('pm_ok');
    await gateway.charge(charge);
    now += gateway.keyLifetimeMs + 1;
    await gateway.charge(charge);
    expect(await listCaptured(charge.reference)).toBe(1998n);
  });

  it('remembers over a restart of everything', async () => {
    const charge = {
      key: 'pay_restart',
      reference: 'sub_restart',
      paymentMethod: 'pm_renewal_declines',
      amount: { amountMinor: '999', currency: 'USD' },
      offSession: false,
    };
    const first = await sandbox().charge(charge);
    await store.dispose();
    await server.restart();
    store = connect();
    expect(await sandbox().charge(charge)).toEqual(first);
    const renewal = { ...charge, key: 'pay_restart_2', offSession: true };
    expect(await sandbox().charge(renewal)).toMatchObject({
      status: 'declined',
      decline: { reason: 'insufficient_funds', declineClass: 'soft' },
    });
    expect(await listCaptured('sub_restart')).toBe(999n);
  });
});

function connect(): EventStore {
  return connectEventStore(server.connectionString, { knownTypes: SANDBOX_EVENT_TYPES });
}

function sandbox() {
  return createSandboxGateway({ commands: createCommandExecutor(store), clock });
}

/** The captured sum in the stream of a reference. */
async function listCaptured(reference: string): Promise<bigint> {
  const amounts = new Map<string, bigint>();
  let captured = 0n;
  for await (const { type, data } of store.readStream(`sandbox_account-${reference}`)) {
    const { key, outcome, amount } = data as {
      key: string;
      outcome?: unknown;
      amount?: { amountMinor: string };
    };
    if (amount) amounts.set(key, BigInt(amount.amountMinor));
    const isCapture = type === 'sandbox.settled.v1' || outcome === 'captured';
    if (isCapture) captured += amounts.get(key) ?? 0n;
  }
  return captured;
}
