import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { advanceTo, buy, checkoutLink, createPlan, requireOk } from '../support/scenario.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

/**
 * The table of rules/lifecycle 1 row by row, and who may change what (rules/lifecycle 11), on the product's own
 * routes. All lives share one clock: they are bought at once, and looked at when they were bought, an hour after
 * their due date, after the first retry and after the end of grace.
 */
const PHASES = ['bought', 'due', 'retried', 'ended'] as const;
type Phase = (typeof PHASES)[number];
const DAY_MS = 86_400_000;
const AFTER_MS: Readonly<Record<Phase, number>> = {
  ...{ bought: 0, due: 30 * DAY_MS, retried: 31 * DAY_MS, ended: 32 * DAY_MS },
};

const BOUGHT = ['payment.succeeded', 'subscription.created'];
const RENEWED = ['payment.succeeded', 'subscription.payment_succeeded'];
const FAILED = ['payment.failed', 'subscription.payment_failed'];
const CANCELED = [400, 9, 'SUBSCRIPTION_CANCELED'];
const EXPIRED = [400, 9, 'SUBSCRIPTION_EXPIRED'];
const PENDING = [400, 9, 'CHARGE_PENDING'];

/** What is done in a phase, the status after it, and the webhooks since the last one. */
interface Step {
  readonly do?: (path: string) => Promise<unknown>;
  readonly is: 'active' | 'past_due' | 'canceled' | 'expired';
  readonly sent: readonly string[];
}
type Life = Partial<Record<Phase, Step>> & { readonly method?: string; readonly plan?: string };

const ledger = useLedger();
let receiver: WebhookReceiver;
const ids = new Map<string, string>();
const post = (path: string, body: object) => ledger.backend.post(path, body);
const change = (body: object) => (path: string) => post(`${path}/change-checkout-links`, body);
const to = (code: string, more = {}) => ({ plan: { code }, ...more });

/** Makes a link for a change, and pays on its page. */
const agree =
  (body: object, paymentMethod = 'pm_ok') =>
  async (path: string) => {
    const { id } = requireOk(await change(body)(path)).body;
    return post(`/checkout/${String(id)}/complete`, { paymentMethod });
  };
const paid = (body: object, method?: string) => async (path: string) =>
  void requireOk(await agree(body, method)(path));
const cancel = (atPeriodEnd?: boolean) => async (path: string) => {
  const body = atPeriodEnd === undefined ? {} : { cancel_at_period_end: atPeriodEnd };
  requireOk(await post(`${path}/cancel`, body));
};
const reactivate = async (path: string) => void requireOk(await post(`${path}/reactivate`, {}));
const inTurn =
  (...calls: readonly ((path: string) => Promise<unknown>)[]) =>
  async (path: string) => {
    for (const call of calls) await call(path);
  };
/** No change is to be had, of whatever kind. */
const noChange = (reason: readonly unknown[]) => async (path: string) => {
  for (const body of [{}, to('dear'), to('cheap'), to('dear', { preview: true })]) {
    expect(refusal(await change(body)(path))).toEqual(reason);
  }
};
const nothingMore = async (path: string) => {
  for (const call of ['cancel', 'reactivate']) {
    expect(refusal(await post(`${path}/${call}`, {}))).toEqual(EXPIRED);
  }
};
/** A cheaper plan begins when so many days have passed since the purchase. */
const waits = (days: number) => async (path: string) => {
  const { body } = await ledger.backend.get(path);
  const { effectiveAt } = requireOk(await change(to('cheap'))(path)).body;
  const since = Date.parse(String(effectiveAt)) - Date.parse(String(body['created_at']));
  expect(Math.round(since / DAY_MS)).toBe(days);
};

const LIVES: Readonly<Record<string, Life>> = {
  'is renewed': {
    bought: { is: 'active', sent: BOUGHT },
    due: { is: 'active', sent: RENEWED },
  },
  'on trial is charged when the trial ends': {
    plan: 'tried',
    bought: { is: 'active', sent: ['subscription.created'] },
    due: { is: 'active', sent: RENEWED },
  },
  'on trial is past due when that is declined': {
    ...{ plan: 'tried', method: 'pm_decline_insufficient_funds' },
    bought: { is: 'active', sent: ['subscription.created'] },
    due: { is: 'past_due', sent: FAILED },
  },
  'on trial is canceled without a charge': {
    plan: 'tried',
    bought: {
      do: cancel(),
      is: 'canceled',
      sent: ['subscription.created', 'subscription.canceled'],
    },
    due: { is: 'expired', sent: ['subscription.expired'] },
  },
  'on trial has a dearer plan at once, for nothing': {
    plan: 'tried',
    bought: {
      do: paid(to('dear')),
      is: 'active',
      sent: ['subscription.created', 'subscription.updated'],
    },
    due: { is: 'active', sent: RENEWED },
  },
  'on trial has a cheaper plan when the trial ends': {
    plan: 'tried',
    bought: { do: waits(30), is: 'active', sent: ['subscription.created'] },
    due: { is: 'active', sent: ['subscription.updated', ...RENEWED] },
  },
  'is past due, retried, and expires at the end of grace': {
    method: 'pm_renewal_declines',
    due: { is: 'past_due', sent: [...BOUGHT, ...FAILED] },
    retried: { is: 'past_due', sent: FAILED },
    ended: {
      do: inTurn(nothingMore, noChange(EXPIRED)),
      is: 'expired',
      sent: [...FAILED, 'subscription.expired'],
    },
  },
  'recovers by a retry': {
    method: 'pm_renewal_declines_once',
    due: { is: 'past_due', sent: [...BOUGHT, ...FAILED] },
    retried: { is: 'active', sent: RENEWED },
  },
  'is canceled while past due': {
    method: 'pm_renewal_declines',
    due: { do: cancel(), is: 'expired', sent: [...BOUGHT, ...FAILED, 'subscription.expired'] },
    ended: { is: 'expired', sent: [] },
  },
  'pays its open period by another method': {
    method: 'pm_renewal_declines',
    due: { do: paid({}), is: 'active', sent: [...BOUGHT, ...FAILED, ...RENEWED] },
  },
  'pays its open period with a dearer plan': {
    method: 'pm_renewal_declines',
    due: {
      do: paid(to('dear')),
      is: 'active',
      sent: [...BOUGHT, ...FAILED, ...RENEWED, 'subscription.updated'],
    },
  },
  'has a cheaper plan after its open period': {
    method: 'pm_renewal_declines_once',
    due: { do: waits(60), is: 'past_due', sent: [...BOUGHT, ...FAILED] },
    retried: { is: 'active', sent: RENEWED },
  },
  'stays active while its charge is open, cannot be changed, and expires when it is given up': {
    bought: { do: paid({}, 'pm_unavailable'), is: 'active', sent: BOUGHT },
    due: { do: noChange(PENDING), is: 'active', sent: [] },
    ended: { is: 'expired', sent: [...FAILED, 'subscription.expired'] },
  },
  'ends while its charge is open, which is then given up': {
    bought: { do: paid({}, 'pm_unavailable'), is: 'active', sent: BOUGHT },
    due: { do: cancel(false), is: 'expired', sent: ['subscription.expired'] },
    ended: { is: 'expired', sent: ['payment.failed'] },
  },
  'is canceled once, cannot be changed, and ends with its period': {
    bought: {
      do: inTurn(cancel(), cancel(), noChange(CANCELED)),
      is: 'canceled',
      sent: [...BOUGHT, 'subscription.canceled'],
    },
    due: { is: 'expired', sent: ['subscription.expired'] },
  },
  'is canceled, and then at once': {
    bought: {
      do: inTurn(cancel(), cancel(false)),
      is: 'expired',
      sent: [...BOUGHT, 'subscription.canceled', 'subscription.expired'],
    },
  },
  'is ended at once, for good': {
    bought: {
      do: inTurn(cancel(false), nothingMore, noChange(EXPIRED)),
      is: 'expired',
      sent: [...BOUGHT, 'subscription.expired'],
    },
    due: { is: 'expired', sent: [] },
  },
  'is canceled and taken back': {
    bought: {
      do: inTurn(cancel(), reactivate),
      is: 'active',
      sent: [...BOUGHT, 'subscription.canceled', 'subscription.reactivated'],
    },
    due: { is: 'active', sent: RENEWED },
  },
  'has a dearer plan at once': {
    bought: {
      do: paid(to('dear')),
      is: 'active',
      sent: [...BOUGHT, 'payment.succeeded', 'subscription.updated'],
    },
    due: { is: 'active', sent: RENEWED },
  },
  'has a dearer plan for nothing where the studio says so': {
    bought: {
      do: paid(to('dear', { amountCents: '0' })),
      is: 'active',
      sent: [...BOUGHT, 'subscription.updated'],
    },
  },
  'keeps its plan when the charge for a dearer one is declined': {
    bought: {
      do: agree(to('dear'), 'pm_decline_do_not_honor'),
      is: 'active',
      sent: [...BOUGHT, 'payment.failed'],
    },
    due: { is: 'active', sent: RENEWED },
  },
  'has a cheaper plan when the period is over': {
    bought: { do: waits(30), is: 'active', sent: BOUGHT },
    due: { is: 'active', sent: ['subscription.updated', ...RENEWED] },
  },
};

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const endpoint = {
    url: receiver.url,
    eventTypes: ['payment.*', 'subscription.*'],
    accept: '2xx',
  };
  const path = `/manage/apps/${ledger.appId}/webhook-endpoints`;
  requireOk(await ledger.operator.post(path, endpoint));
  const thirtyDays = { billingPeriodValue: '30', billingPeriodUnit: 'day' };
  const trial = { trialPeriodValue: '30', trialPeriodUnit: 'day' };
  const plan = (code: string, amountCents: string, more = {}) => {
    const prices = [{ currency: 'USD', amountCents }];
    return createPlan(ledger.operator, ledger.appId, { code, prices, ...thirtyDays, ...more });
  };
  await Promise.all([
    ...[plan('plain', '999'), plan('dear', '1999'), plan('cheap', '499')],
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
afterAll(async () => receiver.close());

it('(none): a checkout whose payment is declined leaves no subscription', async () => {
  const { id } = await checkoutLink(ledger.backend, { plan: 'plain', player: 'poor' });
  const body = { paymentMethod: 'pm_decline_do_not_honor' };
  const declined = await post(`/checkout/${id}/complete`, body);
  expect(refusal(declined)).toEqual([400, 9, 'PAYMENT_DECLINED']);
  const list = await ledger.backend.get('/sdk/subscriptions?externalAccountId=poor');
  expect(list.body['subscriptions']).toEqual([]);
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
    await step.do?.(path);
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
