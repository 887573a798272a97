import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveId } from '#domain/ids';
import { paymentAggregate, type PaymentCommand } from '#domain/payment';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import {
  createSandboxBooks,
  createSandboxGateway,
  type Difference,
  reconcile,
  type SandboxDisputeCommand,
  sandboxDisputesAggregate,
} from '#gateway';
import { periodCharge } from '../../../libs/domain/src/payment/spec-support/period-charge.js';
import { RestartableStore } from '../event-store/support.js';

/** The ledger and the sandbox's books, both in a real store, compared both ways (rules/payments 16). */
const DONE = '2027-01-31T10:00:00.000Z';
const NOW = '2027-02-03T08:00:00.000Z';
const EPOCH = '1970-01-01T00:00:00.000Z';
const amount = { amountMinor: '999', currency: 'USD' };
const method = { paymentMethodSubType: '', issuerBank: '' };
const capture: PaymentCommand = { kind: 'CapturePayment', method, now: DONE };
let server: RestartableStore;
let store: EventStore;
let commands: CommandExecutor;
let wallNow = DONE;

beforeAll(async () => {
  server = await RestartableStore.start();
  store = connectEventStore(server.connectionString);
  commands = createCommandExecutor(store);
});

afterAll(async () => {
  await store.dispose();
  await server.remove();
});

const idFor = (name: string) => deriveId('pay', DONE, '3f', name);
const gateway = () => createSandboxGateway({ commands, clock: { now: () => wallNow } });
const chargeAtGateway = (name: string) =>
  gateway().charge({
    ...{ key: idFor(name), reference: `sub_${name}`, paymentMethod: 'pm_ok' },
    ...{ amount, offSession: false },
  });

async function dispute(command: SandboxDisputeCommand): Promise<void> {
  const context = {
    appId: 'sandbox',
    environment: 'test',
    actor: 'x',
    correlationId: 'c',
  } as const;
  const { now } = command;
  await commands.execute(sandboxDisputesAggregate, 'sub_disputed', command, { ...context, now });
}

/** Asks for a payment in the ledger, and runs the next commands on it. */
function pay(name: string, ...history: PaymentCommand[]): Promise<string> {
  return payBy('pm_ok', name, ...history);
}

async function payBy(paymentMethod: string, name: string, ...history: PaymentCommand[]) {
  const paymentId = idFor(name);
  const charge = {
    ...{ paymentId, appId: 'app_1', player: 'p', checkoutLinkId: '' },
    ...{ paymentMethod, personal: {} },
    ...periodCharge({ subscriptionId: `sub_${name}`, amount, start: DONE, number: 1 }),
  };
  const context = {
    ...{ appId: 'app_1', environment: 'test' as const, actor: 'app' },
    ...{ correlationId: name, now: DONE },
  };
  const request: PaymentCommand = { kind: 'RequestPayment', charge, now: DONE };
  for (const command of [request, ...history]) {
    await commands.execute(paymentAggregate, paymentId, command, context);
  }
  return paymentId;
}

const compare = async (about: Partial<Parameters<typeof reconcile>[0]> = {}) => {
  const shares: number[] = [];
  const differences: Difference[] = [];
  const report = await reconcile({
    ...{ store, books: [createSandboxBooks({ store, commands })] },
    ...{ since: EPOCH, now: NOW, settlingMs: 60_000, signal: new AbortController().signal },
    onProgress: (share) => void shares.push(share),
    onDifference: (difference) => void differences.push(difference),
    ...about,
  });
  expect(shares.at(-1)).toBe(1);
  return { ...report, differences };
};

describe('reconciliation', () => {
  it('finds what either side does not know, and nothing of what both do', async () => {
    await chargeAtGateway('both');
    await pay('both', capture);
    const agreed = { payments: 1, charges: 1, found: 0, differences: [], unread: [] };
    expect(await compare()).toEqual(agreed);
    await chargeAtGateway('forgotten');
    const made = await pay('made-up', capture);
    const overtaken = await pay('overtaken');
    await chargeAtGateway('overtaken');
    const { found, differences } = await compare();
    const kinds = new Map(differences.map(({ paymentId, kind }) => [paymentId, kind]));
    expect(found).toBe(3);
    expect(kinds).toEqual(
      new Map([
        [idFor('forgotten'), 'charge_not_in_ledger'],
        [made, 'charge_unknown_at_gateway'],
        [overtaken, 'outcome_differs'],
      ]),
    );
  });

  it('leaves out what is on its way, and what did not change since', async () => {
    const settling = await compare({ settlingMs: 7 * 86_400_000 });
    expect(settling.differences.map(({ kind }) => kind)).toEqual(['charge_unknown_at_gateway']);
    expect(await compare({ since: NOW })).toMatchObject({ payments: 0, charges: 0, found: 0 });
  });

  it('knows what has settled since, or was disputed before and is decided since', async () => {
    await chargeAtGateway('disputed');
    const late = { key: idFor('late'), reference: 'sub_late', amount, offSession: false };
    await gateway().charge({ ...late, paymentMethod: 'pm_pending' });
    wallNow = NOW;
    await gateway().charge({ ...late, paymentMethod: 'pm_pending' });
    await dispute({ kind: 'OpenDispute', chargeKey: idFor('disputed'), now: DONE });
    expect(await compare({ since: NOW })).toMatchObject({ charges: 1 });
    const { state } = await commands.load(sandboxDisputesAggregate, 'sub_disputed');
    const [disputeId = ''] = Object.keys(state.disputes);
    await dispute({ kind: 'CloseDispute', disputeId, won: true, now: NOW });
    expect(await compare({ since: NOW })).toMatchObject({ charges: 2 });
    wallNow = DONE;
  });

  it('reads again what differs: a page of the books may be old by then', async () => {
    const books = createSandboxBooks({ store, commands });
    const stale: typeof books = {
      kind: 'sandbox',
      find: (query) => books.find(query),
      async *list(query) {
        for await (const page of books.list(query)) {
          yield page.map((charge) => ({ ...charge, status: 'pending' as const }));
        }
      },
    };
    const { differences } = await compare({ books: [stale] });
    expect(differences.map(({ paymentId }) => paymentId)).not.toContain(idFor('both'));
  });

  it('leaves to the books of another gateway what that one took, but for what is open too long', async () => {
    const before = await compare();
    const taken = await payBy('cus_1/pm_1', 'taken', capture);
    const open = await payBy('cus_1/pm_1', 'asked');
    const late = await compare({ now: '2027-02-08T00:00:00.000Z' });
    expect(await compare()).toMatchObject({ payments: before.payments, found: before.found });
    expect(late.differences.map(({ paymentId }) => paymentId)).not.toContain(taken);
    expect(late.differences).toContainEqual(
      expect.objectContaining({ paymentId: open, kind: 'pending_too_long' }),
    );
  });

  it('names what has been open for a week', async () => {
    wallNow = NOW;
    const paymentId = await pay('open');
    const { differences } = await compare({ now: '2027-02-08T00:00:00.000Z' });
    expect(differences).toContainEqual(
      expect.objectContaining({ paymentId, kind: 'pending_too_long', gateway: 'unknown' }),
    );
  });
});
