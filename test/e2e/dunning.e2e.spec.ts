import { expect, it } from 'vitest';
import { advanceTo, buy, requireOk, seeing } from '../support/scenario.js';
import { useLedger } from '../support/fixture.js';

/** Dunning as apps set it, on the routes that set it and on the test clock (rules/lifecycle 4). */
const ledger = useLedger();

const HOUR_MS = 3_600_000;
const after = (instant: string, hours: number) =>
  new Date(Date.parse(instant) + hours * HOUR_MS).toISOString();

async function configure(dunning: Readonly<Record<string, unknown>>): Promise<unknown> {
  const path = `/manage/apps/${ledger.appId}`;
  return requireOk(await ledger.operator.send('PATCH', path, { body: { dunning } })).body[
    'dunning'
  ];
}

async function buyAndFail(player: string): Promise<{ due: string; show: Show }> {
  const paymentMethod = 'pm_renewal_declines';
  const { subscriptionId, token } = await buy(ledger.backend, {
    ...{ plan: 'gold', player, paymentMethod },
  });
  const path = `/sdk/subscriptions/${subscriptionId}`;
  const show: Show = async (seen) => {
    const { body } = requireOk(await ledger.backend.get(path, seeing(seen)));
    return [body['status'], body['next_billing_date'], body['access_end_date']].map(String);
  };
  const headers = { 'x-consistency-token': token };
  const { body } = requireOk(await ledger.backend.get(path, { headers }));
  return { due: String(body['current_period_end']), show };
}

type Show = (token: string) => Promise<string[]>;

it('settings of the first failure hold for its period, whatever is set before a retry', async () => {
  const set = await configure({ graceHours: 60, retryAfterHours: [40, 20] });
  const retriedDeclineClasses = ['soft', 'authentication_required', 'unknown'];
  expect(set).toEqual({ graceHours: 60, retryAfterHours: [20, 40], retriedDeclineClasses });

  const { due, show } = await buyAndFail('player-dunning');
  const failed = await advanceTo(ledger.operator, ledger.appId, due);
  expect(await show(failed)).toEqual(['past_due', after(due, 20), after(due, 60)]);

  await configure({ graceHours: 1, retryAfterHours: [1], retriedDeclineClasses: [] });
  const retried = await advanceTo(ledger.operator, ledger.appId, after(due, 20));
  expect(await show(retried)).toEqual(['past_due', after(due, 40), after(due, 60)]);
  const last = await advanceTo(ledger.operator, ledger.appId, after(due, 59));
  expect(await show(last)).toEqual(['past_due', after(due, 60), after(due, 60)]);
  const ended = await advanceTo(ledger.operator, ledger.appId, after(due, 60));
  expect((await show(ended))[0]).toBe('expired');
});

it('a class that is not set is not retried: grace is all that is left', async () => {
  await configure({ graceHours: 30, retryAfterHours: [10], retriedDeclineClasses: ['unknown'] });
  const { due, show } = await buyAndFail('player-unretried');
  const failed = await advanceTo(ledger.operator, ledger.appId, due);
  expect(await show(failed)).toEqual(['past_due', after(due, 30), after(due, 30)]);
});

it.each([['hard'], ['fraud']])('no app can have class %s retried', async (declineClass) => {
  const dunning = { graceHours: 1, retryAfterHours: [], retriedDeclineClasses: [declineClass] };
  const path = `/manage/apps/${ledger.appId}`;
  const refused = await ledger.operator.send('PATCH', path, { body: { dunning } });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('dunning.retriedDeclineClasses');
});
