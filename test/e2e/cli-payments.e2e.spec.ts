import { describe, expect, it } from 'vitest';
import { deriveId } from '#domain/ids';
import { createCommandExecutor } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSandboxGateway } from '#gateway';
import { sleep } from '#platform';
import { subledger } from '../cli/subledger.js';
import { useLedger } from '../support/fixture.js';
import { buy, requireOk, seeing } from '../support/scenario.js';
import { readStoreUrl } from '../support/standalone.js';

/** Finance's commands about payments. */
const ledger = useLedger();

/** Other tests of the same ledger set apps to Stripe, by keys of no account. */
const NO_STRIPE = { STRIPE_STAND_IN: 'http://127.0.0.1:1' };

async function run(...args: string[]) {
  const there = ['--data-dir', ledger.standalone.dataDir, '--json'];
  const { code, stdout, stderr } = await subledger(['payments', ...args, ...there], NO_STRIPE);
  const parse = (text: string) => JSON.parse(text || '{}') as Record<string, unknown>;
  return { code, answer: parse(stdout), error: parse(stderr)['error'] };
}

async function pay(player: string): Promise<string> {
  const { subscriptionId, token } = await buy(ledger.backend, { plan: 'gold', player });
  const list = `/sdk/subscriptions/${subscriptionId}/payments`;
  const { body } = requireOk(await ledger.backend.get(list, seeing(token)));
  const [payment] = body['payments'] as { paymentId: string }[];
  return payment?.paymentId ?? '';
}

/** The gateway charges a payment that the ledger never asked for. */
async function chargeBehindTheLedger(now: string): Promise<string> {
  const store = connectEventStore(await readStoreUrl(ledger.standalone));
  const key = deriveId('pay', now, '5f', 'unknown');
  const amount = { amountMinor: '1234', currency: 'USD' };
  try {
    const commands = createCommandExecutor(store);
    const gateway = createSandboxGateway({ commands, clock: { now: () => now } });
    const about = { reference: 'sub_unknown', paymentMethod: 'pm_ok', offSession: false };
    await gateway.charge({ key, amount, ...about });
    return key;
  } finally {
    await store.dispose();
  }
}

describe('subledger payments', () => {
  it('refund gives back a part, and then what is left, as the API does', async () => {
    const paymentId = await pay('refunded');
    expect(await run('refund', paymentId, '--amount', '4.00')).toMatchObject({
      code: 0,
      answer: { paymentId, outcome: 'refunded', amount: { amountMinor: '400' } },
    });
    expect(await run('refund', paymentId, '--amount', '6')).toMatchObject({
      code: 1,
      error: { reason: 'REFUND_EXCEEDS_REMAINING', message: expect.stringContaining('5.99 USD') },
    });
    for (const amount of ['0', '0.00', '-1', 'all']) {
      const message = expect.stringContaining('above 0');
      expect(await run('refund', paymentId, `--amount=${amount}`)).toMatchObject({
        ...{ code: 2, error: { message } },
      });
    }
    expect(await run('refund', paymentId)).toMatchObject({
      code: 0,
      answer: { outcome: 'refunded', amount: { amountMinor: '599' } },
    });
  });

  it('reconcile agrees with books that agree, and names what differs, with an exit code', async () => {
    // Other tests of the same ledger leave differences of their own, some by clocks that are ahead.
    const since = new Date().toISOString();
    const agreed = await pay('agreed');
    const unknown = await chargeBehindTheLedger(new Date().toISOString());
    await sleep(1_000);
    const { code, answer, error } = await run('reconcile', '--since', since, '--settled-for', '1');
    expect([code, error]).toEqual([1, expect.objectContaining({ reason: 'BOOKS_DIFFER' })]);
    const differences = answer['differences'] as { paymentId: string }[];
    expect(differences.filter(({ paymentId }) => [agreed, unknown].includes(paymentId))).toEqual([
      {
        ...{ paymentId: unknown, kind: 'charge_not_in_ledger' },
        ...{ gateway: 'captured 12.34 USD', ledger: 'none' },
      },
    ]);
    const nothing = await run('reconcile', '--since', '9998-01-01T00:00:00Z');
    const unread = nothing.answer['unread'] as readonly object[];
    expect(nothing).toMatchObject({ code: unread.length === 0 ? 0 : 3, answer: { found: 0 } });
    expect((await run('reconcile', '--since', 'yesterday')).code).toBe(2);
  });
});
