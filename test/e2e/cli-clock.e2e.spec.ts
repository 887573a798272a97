import { describe, expect, it } from 'vitest';
import { subledger } from '../cli/subledger.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { buy, requireOk } from '../support/scenario.js';

const ledger = useLedger();
const HOUR_MS = 3_600_000;

/** As an operator types it on the machine of the standalone. */
async function advance(appId: string, ...options: string[]) {
  const there = ['--data-dir', ledger.standalone.dataDir, '--json'];
  const { code, stdout, stderr } = await subledger(
    ['clock', 'advance', appId, ...options, ...there],
    {},
  );
  const parse = (text: string) => JSON.parse(text || '{}') as Record<string, unknown>;
  return { code, answer: parse(stdout), error: parse(stderr)['error'] };
}

describe('subledger clock advance', () => {
  it('lets time pass until all that is due has happened, and goes no further when repeated', async () => {
    const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: 'advanced' });
    const path = `/sdk/subscriptions/${subscriptionId}`;
    const { body } = requireOk(await ledger.backend.get(path));
    const due = Date.parse(String(body['next_billing_date']));
    const to = new Date(due + HOUR_MS).toISOString();
    const done = await advance(ledger.appId, '--to', to);
    expect(done).toMatchObject({ code: 0, answer: { appId: ledger.appId } });
    expect(String(done.answer['now']) >= to).toBe(true);
    expect(Number(done.answer['steps'])).toBeGreaterThan(0);
    // The command waits for the clock, and not for read models.
    await eventually(async () => {
      const { body: renewed } = requireOk(await ledger.backend.get(path));
      return Date.parse(String(renewed['next_billing_date'])) > due;
    });
    expect(await advance(ledger.appId, '--to', to)).toMatchObject({
      code: 0,
      answer: { steps: 0 },
    });
  });

  it('is refused backwards, for other apps, and where it is not understood', async () => {
    const past = ['--to', '2020-01-01T00:00:00Z'];
    expect(await advance(ledger.appId, ...past)).toMatchObject({
      code: 1,
      error: { reason: 'TEST_CLOCK_BACKWARDS' },
    });
    const app = { name: 'P', environment: 'production' };
    const { appId } = requireOk(await ledger.allApps.post('/manage/apps', app)).body;
    expect(await advance(String(appId), ...past)).toMatchObject({
      code: 1,
      error: { reason: 'NOT_A_TEST_APP' },
    });
    expect(await advance(ledger.appId)).toMatchObject({ code: 2 });
  });
});
