import { beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger, useReceiver } from '../support/fixture.js';
import { advanceTo, buy, checkoutLink, createPlan } from '../support/scenario.js';
import { priced } from './lifecycle-table/acts.js';
import { AFTER_MS, LIVES, PHASES } from './lifecycle-table/lives.js';

/**
 * The table of rules/lifecycle 1 row by row, and each caller's allowed changes (rules/lifecycle 11), on the product's
 * own routes. All lives share one clock: they are bought at once, and looked at when they were bought, an hour after
 * their due date, after the first retry and after the end of grace.
 */
const ledger = useLedger();
const receiver = useReceiver(ledger, ['payment.*', 'subscription.*']);
const ids = new Map<string, string>();
const planIds = new Map<string, string>();

beforeAll(async () => {
  const thirtyDays = { billingPeriodValue: '30', billingPeriodUnit: 'day' };
  const trial = { trialPeriodValue: '30', trialPeriodUnit: 'day' };
  const plan = async (code: string, amountCents: string, more = {}) => {
    const terms = { code, prices: priced(amountCents), ...thirtyDays, ...more };
    planIds.set(code, await createPlan(ledger.operator, ledger.appId, terms));
  };
  await Promise.all([
    ...[plan('plain', '999'), plan('dear', '1999'), plan('cheap', '499')],
    ...['locked', 'gone', 'fading'].map((code) => plan(code, '999')),
    plan('tried', '999', trial),
  ]);
  await Promise.all(
    Object.entries(LIVES).map(async ([name, life]) => {
      const { plan: code = 'plain', method: paymentMethod = 'pm_ok' } = life;
      const player = name.replaceAll(/\W/g, '-');
      const bought = await buy(ledger.backend, { plan: code, player, paymentMethod });
      ids.set(name, bought.subscriptionId);
    }),
  );
});

it('(none): a checkout whose payment is declined leaves no subscription, and is sent', async () => {
  const { id } = await checkoutLink(ledger.backend, { plan: 'plain', player: 'poor' });
  const body = { paymentMethod: 'pm_decline_do_not_honor' };
  const declined = await ledger.backend.post(`/checkout/${id}/complete`, body);
  expect(refusal(declined)).toEqual([400, 9, 'PAYMENT_DECLINED']);
  const list = await ledger.backend.get('/sdk/subscriptions?externalAccountId=poor');
  expect(list.body['subscriptions']).toEqual([]);
  const sent = () =>
    receiver.received
      .filter(({ data }) => data['external_account_id'] === 'poor')
      .map(({ type }) => type);
  await eventually(() => sent().length > 0, { what: 'the webhook of the decline' });
  expect(sent()).toEqual(['payment.failed']);
});

const seen = new Map<string, number>();
let startedAt = 0;

describe.each(PHASES)('a subscription, %s', (phase) => {
  beforeAll(async () => {
    const clock = `/manage/apps/${ledger.appId}/test-clock`;
    if (phase === 'bought') {
      startedAt = Date.parse(String((await ledger.operator.get(clock)).body['now']));
      return;
    }
    const at = new Date(startedAt + AFTER_MS[phase] + 3_600_000).toISOString();
    await advanceTo(ledger.operator, ledger.appId, at);
  });

  it.each(
    Object.entries(LIVES)
      .flatMap(([name, life]) => [[name, life[phase]] as const])
      .filter(([, step]) => step !== undefined),
  )('%s', async (name, step) => {
    if (step === undefined) return;
    const id = ids.get(name) ?? '';
    const path = `/sdk/subscriptions/${id}`;
    await step.do?.(path, { ...ledger, planIds });
    const sent = () =>
      receiver.received
        .filter(({ data }) => [data['id'], data['subscription_id']].includes(id))
        .map(({ type }) => type)
        .slice(seen.get(id) ?? 0);
    await eventually(() => sent().length >= step.sent.length, { what: `the webhooks of ${name}` });
    expect(sent()).toEqual(step.sent);
    seen.set(id, (seen.get(id) ?? 0) + step.sent.length);
    const isShown = async () => (await ledger.backend.get(path)).body['status'] === step.is;
    await eventually(isShown, { what: `${name}, as ${step.is}`, limitMs: 10_000 });
  });
});
