import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningEventStore, startEventStore } from '#embedded-event-store';
import { createCommandExecutor, type EventStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSandboxGateway, SANDBOX_EVENT_TYPES } from '#gateway';
import { itKeepsTheRulesOfTheGateway } from '../../contract/gateway/conformance.js';

let now = Date.parse('2027-01-31T10:00:00.000Z');
const clock = { now: () => new Date(now).toISOString() };
let dataDir: string;
let server: RunningEventStore;
let store: EventStore;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sandbox-gateway-'));
  server = await startEventStore({ port: 0, dataDir });
  store = connect();
});

afterAll(async () => {
  await store.dispose();
  await server.stop();
  await rm(dataDir, { recursive: true });
});

describe('the sandbox gateway', () => {
  itKeepsTheRulesOfTheGateway({
    // Another gateway for every call, with books and caches of its own: only the store is shared.
    gateway: sandbox,
    methods: {
      captured: 'pm_ok',
      declined: 'pm_decline_do_not_honor',
      pending: 'pm_pending',
      losesItsAnswer: 'pm_timeout',
      isDown: 'pm_unavailable',
    },
    sumCaptured: listCaptured,
    settle: () => {
      now += 3_000;
      return Promise.resolve();
    },
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
    await server.stop();
    server = await startEventStore({ port: 0, dataDir });
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

/** The sum of what the stream of a reference says was captured. */
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
