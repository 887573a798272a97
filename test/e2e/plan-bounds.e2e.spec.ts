import { beforeAll, describe, expect, it } from 'vitest';
import { subledger } from '../cli/subledger.js';
import { errorReason, refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { checkoutLink, createPlan, issuePlayerToken, requireOk } from '../support/scenario.js';
import { type Answer, bearer } from '../support/api-client.js';

/** Plans that a player has once, or tries once (rules/lifecycle 15). */
const ledger = useLedger();
const HELD = [400, 9, 'PLAN_ALREADY_HELD'];
const TAKEN = [400, 9, 'TRIAL_ALREADY_TAKEN'];
const TRIAL = { trialPeriodValue: '7', trialPeriodUnit: 'day' };
/** So many players click on two links at once. */
const PLAYERS = 12;

beforeAll(async () => {
  const sell = (code: string, terms: object) =>
    createPlan(ledger.operator, ledger.appId, { code, ...terms });
  await Promise.all([
    sell('one', { onePerPlayer: true }),
    sell('two', { onePerPlayer: true, prices: [{ currency: 'USD', amountCents: '1999' }] }),
    sell('tried', { ...TRIAL, trialOncePerPlayer: true }),
  ]);
});

const ask = (plan: string, player: string) =>
  ledger.backend.post('/sdk/subscriptions/checkout-links', {
    ...{ plan: { code: plan }, currency: 'USD', user: { id: player } },
  });

const open = async (plan: string, player: string) =>
  (await checkoutLink(ledger.backend, { plan, player })).id;

const complete = (linkId: string, paymentMethod = 'pm_ok') =>
  ledger.backend.post(`/checkout/${linkId}/complete`, { paymentMethod });

async function buy(plan: string, player: string) {
  const { body } = requireOk(await complete(await open(plan, player)));
  return { path: `/sdk/subscriptions/${String(body['subscriptionId'])}` };
}

/** The player's payments by their status, and the player's subscriptions. */
async function read(player: string) {
  const { baseUrl } = ledger.standalone;
  const client = bearer(baseUrl, await issuePlayerToken(ledger.backend, player));
  const { body } = requireOk(await client.get('/sdk/subscriptions'));
  const subscriptions = body['subscriptions'] as { id: string }[];
  const payments = await Promise.all(
    subscriptions.map(async ({ id }) => {
      const answer = requireOk(await client.get(`/sdk/subscriptions/${id}/payments`));
      return answer.body['payments'] as { status: string }[];
    }),
  );
  return { subscriptions, payments: payments.flat().map(({ status }) => status) };
}

async function erase(player: string) {
  const args = ['players', 'erase', '--json', '--app', ledger.appId, '--account', player];
  const env = { DATA_DIR: ledger.standalone.dataDir };
  expect((await subledger([...args, '--cancel'], env)).code).toBe(0);
}

describe('a plan with onePerPlayer', () => {
  it('is sold once to a player who clicks on two links at once: one pays, one is refused', async () => {
    const races = Array.from({ length: PLAYERS }, async (_, n) => {
      const player = `two-links-${n}`;
      const links = [await open('one', player), await open('one', player)];
      const answers = await Promise.all(links.map((link) => complete(link)));
      const answered = answers
        .map((each) => (each.status === 200 ? 'sold' : errorReason(each)))
        .sort();
      return { player, answered };
    });
    for (const { player, answered } of await Promise.all(races)) {
      expect(answered).toEqual(['PLAN_ALREADY_HELD', 'sold']);
      await eventually(async () => (await read(player)).payments.length === 1);
      const { subscriptions, payments } = await read(player);
      expect([subscriptions.length, payments]).toEqual([
        1,
        ['SUBSCRIPTION_PAYMENT_STATUS_SUCCEEDED'],
      ]);
    }
  });
});

describe('a change into a plan with onePerPlayer', () => {
  const change = (path: string, body: object) =>
    ledger.backend.post(`${path}/change-checkout-links`, body);
  const answeredAs = (answers: readonly Answer[], sold: string) =>
    answers.map((each) => (each.status === 200 ? sold : errorReason(each))).sort();

  async function buyTwo(player: string) {
    return [await buy('gold', player), await buy('gold', player)].map(({ path }) => path);
  }

  it('is refused at the link, by a preview and at the click while another subscription has it', async () => {
    const player = 'changes-twice';
    const [first = '', second = ''] = await buyTwo(player);
    const dearer = { plan: { code: 'two' } };
    const links = [await change(first, dearer), await change(second, dearer)];
    const ids = links.map((link) => String(requireOk(link).body['id']));
    const answers = await Promise.all(ids.map((link) => complete(link)));
    expect(answeredAs(answers, 'changed')).toEqual(['PLAN_ALREADY_HELD', 'changed']);
    const refused = answers[0]?.status === 200 ? second : first;
    expect(refusal(await change(refused, dearer))).toEqual(HELD);
    expect(refusal(await change(refused, { ...dearer, preview: true }))).toEqual(HELD);
    expect(refusal(await complete(ids[refused === first ? 0 : 1] ?? ''))).toEqual(HELD);
    await eventually(async () => {
      const { payments } = await read(player);
      return payments.filter((status) => status.endsWith('SUCCEEDED')).length === 3;
    });
  });
});

describe('a plan with trialOncePerPlayer', () => {
  it('is refused ever after, also to a player who comes back after an erasure', async () => {
    const player = 'tries-again';
    const before = await open('tried', player);
    const { path } = await buy('tried', player);
    expect(refusal(await ask('tried', player))).toEqual(TAKEN);
    requireOk(await ledger.backend.post(`${path}/cancel`, { cancel_at_period_end: false }));
    expect(refusal(await complete(before))).toEqual(TAKEN);
    await erase(player);
    expect(refusal(await ask('tried', player))).toEqual(TAKEN);
  });
});
