import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { deriveId } from '#domain/ids';
import { createCommandExecutor } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSandboxGateway } from '#gateway';
import { sleep } from '#platform';
import { subledger } from '../support/cli.js';
import { useLedger } from '../support/fixture.js';
import { buy, requireOk } from '../support/scenario.js';

/** What finance types about payments. */
const ledger = useLedger();

async function run(...args: string[]) {
  const there = ['--data-dir', ledger.standalone.dataDir, '--json'];
  const { code, stdout, stderr } = await subledger(['payments', ...args, ...there], {});
  const parse = (text: string) => JSON.parse(text || '{}') as Record<string, unknown>;
  return { code, answer: parse(stdout), error: parse(stderr)['error'] };
}

async function pay(player: string): Promise<string> {
  const { subscriptionId, token } = await buy(ledger.backend, { plan: 'gold', player });
  const headers = { 'x-consistency-token': token };
  const list = `/sdk/subscriptions/${subscriptionId}/payments`;
  const { body } = requireOk(await ledger.backend.get(list, { headers }));
  const [payment] = body['payments'] as { paymentId: string }[];
  return payment?.paymentId ?? '';
}

/** The gateway charges what the ledger never asked for. */
async function chargeBehindTheLedger(now: string): Promise<string> {
  const file = path.join(ledger.standalone.dataDir, 'event-store', 'connection-string');
  const store = connectEventStore((await readFile(file, 'utf8')).trim());
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
    expect(await run('refund', paymentId)).toMatchObject({
      code: 0,
      answer: { outcome: 'refunded', amount: { amountMinor: '599' } },
    });
  });

  it('reconcile agrees with books that agree, and names what differs, with an exit code', async () => {
    // The books of this file alone: those of other tests were written before, or are not looked at any more.
    const since = new Date().toISOString();
    const compare = async (...options: string[]) => run('reconcile', '--since', since, ...options);
    await pay('agreed');
    expect(await compare('--settled-for', '1')).toMatchObject({ code: 0, answer: { found: 0 } });
    const paymentId = await chargeBehindTheLedger(new Date().toISOString());
    expect(await compare()).toMatchObject({ code: 0 });
    await sleep(1_000);
    const difference = { paymentId, kind: 'charge_not_in_ledger', gateway: 'captured 12.34 USD' };
    expect(await compare('--settled-for', '1')).toMatchObject({
      code: 1,
      answer: { found: 1, differences: [{ ...difference, ledger: 'none' }] },
      error: { reason: 'BOOKS_DIFFER' },
    });
    expect((await run('reconcile', '--since', 'yesterday')).code).toBe(2);
  });
});
