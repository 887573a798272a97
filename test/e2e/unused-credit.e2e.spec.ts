import { beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { advanceTo, buy, createPlan, requireOk } from '../support/scenario.js';

/** Paid time that a change at once does not use up (rules/lifecycle 11). */
const ledger = useLedger();

beforeAll(async () => {
  const priced = (code: string, billingPeriodUnit: string) =>
    createPlan(ledger.operator, ledger.appId, {
      ...{ code, billingPeriodUnit },
      prices: [{ currency: 'USD', amountCents: '499' }],
    });
  await Promise.all([priced('weekly', 'week'), priced('silver', 'month')]);
});

async function subscribe(player: string) {
  const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player });
  return { path: `/sdk/subscriptions/${subscriptionId}` };
}

const change = (path: string, body: object) =>
  ledger.backend.post(`${path}/change-checkout-links`, body);

const complete = (link: string, body: object) =>
  ledger.backend.post(`/checkout/${link}/complete`, body);

async function advanceBy(days: number): Promise<void> {
  const { operator, appId } = ledger;
  const { body } = await operator.get(`/manage/apps/${appId}/test-clock`);
  const to = Date.parse(String(body['now'])) + days * 86_400_000;
  await advanceTo(operator, appId, new Date(to).toISOString());
}

describe('a change that does not use up what was paid', () => {
  const anew = { plan: { code: 'weekly' }, restartPeriod: true };
  const refused = [400, 9, 'UNUSED_CREDIT'];
  const lostIn = ({ body }: Awaited<ReturnType<typeof change>>) =>
    Number((body['details'] as { metadata: { amountCents: string } }[])[0]?.metadata.amountCents);

  it('shows what is lost, or is refused with it where the studio wants that', async () => {
    const { path } = await subscribe('loses');
    const preview = requireOk(await change(path, { ...anew, preview: true })).body;
    const lines = preview['lines'] as { kind: string; amountCents: string }[];
    const [charge, credit, lost] = lines.map(({ amountCents }) => Number(amountCents));
    expect(lines.map(({ kind }) => kind)).toEqual([
      ...['proration_charge', 'proration_credit', 'credit_forfeited'],
    ]);
    expect([charge, preview['amountCents']]).toEqual([499, '0']);
    expect(Number(credit) + Number(lost)).toBe(-499);
    const refusing = { ...anew, unusedCredit: 'refuse' };
    for (const body of [{ ...refusing, preview: true }, refusing]) {
      const answer = await change(path, body);
      expect(refusal(answer)).toEqual(refused);
      // A second or two have passed: at most a minor unit.
      expect(Math.abs(lostIn(answer) - Number(lost))).toBeLessThanOrEqual(1);
    }
    requireOk(await change(path, { ...anew, unusedCredit: 'forfeit' }));
  });

  it('is refused by the click where more is left by then', async () => {
    const { path } = await subscribe('loses-later');
    await advanceBy(25);
    const { id, url } = requireOk(await change(path, { ...anew, unusedCredit: 'refuse' })).body;
    await advanceBy(10);
    const click = await complete(String(id), { paymentMethod: 'pm_ok' });
    expect(refusal(click)).toEqual(refused);
    expect(lostIn(click)).toBeGreaterThan(0);
    expect(await (await fetch(String(url))).text()).not.toContain('<form');
    expect((await ledger.backend.get(path)).body).toMatchObject({ status: 'active' });
  });
});
