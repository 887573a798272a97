import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppCommand, appAggregate } from '#domain/app';
import { deriveId } from '#domain/ids';
import { paymentAggregate, type PaymentCommand } from '#domain/payment';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { type Difference, reconcile } from '#gateway';
import { listBooks } from '#gateway/apps';
import { createStripeGateway } from '#gateway/stripe';
import { createSeal } from '#platform';
import { createAppSecrets } from '#tenancy';
import { periodCharge } from '../../../libs/domain/src/payment/spec-support/period-charge.js';
import { SECRET_KEY, startStripeStandIn } from '../../contract/gateway/stripe-stand-in/stand-in.js';
import { RestartableStore } from '../event-store/support.js';

/** Each app with keys has an account at Stripe, whose books are compared with its payments (rules/payments 16). */
const DONE = '2027-01-31T10:00:00.000Z';
const NOW = '2027-02-03T08:00:00.000Z';
const amount = { amountMinor: '999', currency: 'USD' };
const VISA = 'cus_1/pm_card_visa';
const secrets = createAppSecrets(createSeal(Buffer.alloc(32, 7)));
let server: RestartableStore;
let store: EventStore;
let commands: CommandExecutor;
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;

beforeAll(async () => {
  server = await RestartableStore.start();
  standIn = await startStripeStandIn(() => Date.parse(DONE));
  store = connectEventStore(server.connectionString);
  commands = createCommandExecutor(store);
  await makeApp('app_1', SECRET_KEY);
  await makeApp('app_2', 'sk_test_ofNoAccount123');
  await makeApp('app_3', SECRET_KEY);
  await makeApp('app_4');
});

afterAll(async () => {
  await store.dispose();
  await server.remove();
  await standIn.stop();
});

const contextFor = (appId: string) => ({
  ...{ appId, environment: 'test' as const, actor: 'operator' },
  ...{ correlationId: 'c', now: DONE },
});

async function makeApp(appId: string, secretKey?: string): Promise<void> {
  const { sealed } = await secrets.createFor(appId);
  const app = { ...sealed, appId, name: 'x', environment: 'test', createdAt: DONE } as const;
  const gateway = {
    ...({ kind: 'stripe', isLive: false, areKept: false, secretKeyEnding: '' } as const),
    sealedSecretKey: secrets.seal(appId, 'Stripe secret key', secretKey ?? ''),
    sealedWebhookSecret: secrets.seal(appId, 'Stripe webhook secret', 'whsec_x'),
  } as const;
  const history: AppCommand[] = [{ kind: 'CreateApp', app }];
  if (secretKey !== undefined) history.push({ kind: 'ConfigureApp', gateway });
  for (const command of history) {
    await commands.execute(appAggregate, appId, command, contextFor(appId));
  }
}

const idFor = (name: string) => deriveId('pay', DONE, '3f', name);

/** The ledger has captured a payment of an app. */
async function capture(appId: string, name: string, paymentMethod = VISA): Promise<string> {
  const paymentId = idFor(name);
  const charge = {
    ...{ paymentId, appId, player: 'p', checkoutLinkId: '', paymentMethod, personal: {} },
    ...periodCharge({ subscriptionId: `sub_${name}`, amount, start: DONE, number: 1 }),
  };
  const method = { paymentMethodSubType: '', issuerBank: '' };
  const history: PaymentCommand[] = [
    { kind: 'RequestPayment', charge, now: DONE },
    { kind: 'CapturePayment', method, now: DONE },
  ];
  for (const command of history) {
    await commands.execute(paymentAggregate, paymentId, command, contextFor(appId));
  }
  return paymentId;
}

/** Stripe has charged for an app. */
async function charge(appId: string, name: string): Promise<string> {
  const gateway = createStripeGateway({ appId, secretKey: SECRET_KEY, apiBase: standIn.url });
  const about = { key: idFor(name), reference: `sub_${name}`, paymentMethod: VISA };
  await gateway.charge({ ...about, amount, offSession: true });
  return about.key;
}

async function compare(opened = secrets) {
  const { signal } = new AbortController();
  const stripeStandIn = standIn.url;
  const books = await listBooks({ store, commands, secrets: opened, stripeStandIn, signal });
  const differences: Difference[] = [];
  const onDifference = (difference: Difference) => void differences.push(difference);
  const about = { since: DONE, now: NOW, settlingMs: 60_000, signal, onDifference };
  return { ...(await reconcile({ store, books, ...about })), differences };
}

it('compares the payments of each app with its own account, and of the sandbox with its books', async () => {
  await capture('app_1', 'both');
  await charge('app_1', 'both');
  const never = await capture('app_1', 'never at Stripe');
  const unknown = await charge('app_1', 'never in the ledger');
  // In the same account, and another app's.
  const others = await charge('app_3', 'of the other app');
  const sandbox = await capture('app_1', 'never in the sandbox', 'pm_ok');
  const { differences } = await compare();
  expect(differences.map(({ paymentId, kind }) => [paymentId, kind]).sort()).toEqual(
    [
      [never, 'charge_unknown_at_gateway'],
      [unknown, 'charge_not_in_ledger'],
      [others, 'charge_not_in_ledger'],
      [sandbox, 'charge_unknown_at_gateway'],
    ].sort(),
  );
});

it('names an account that is out of reach, or whose keys do not open, and compares the others', async () => {
  const before = await compare();
  const left = await capture('app_2', 'of the account that refuses');
  const after = await compare();
  expect(after.differences.map(({ paymentId }) => paymentId)).not.toContain(left);
  expect(after).toMatchObject({ payments: before.payments, found: before.found });
  const why = expect.stringContaining('Stripe');
  expect(after.unread).toEqual([{ kind: 'stripe', appId: 'app_2', why }]);
  const lost = await compare(createAppSecrets(createSeal(Buffer.alloc(32, 8))));
  expect(lost.unread.map(({ appId }) => appId)).toEqual(['app_1', 'app_2', 'app_3']);
  expect(lost.differences).toEqual([expect.objectContaining({ ledger: 'captured 9.99 USD' })]);
});
