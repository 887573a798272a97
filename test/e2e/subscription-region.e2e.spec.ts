import { beforeAll, describe, expect, it } from 'vitest';
import { bearer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger, useReceiver } from '../support/fixture.js';
import { knowPrices, putTaxRates } from '../support/prices.js';
import { advanceTo, buy, issuePlayerToken, requireOk, seeing } from '../support/scenario.js';

/** A player has moved, and the studio says so (rules/lifecycle 13). */
const ledger = useLedger();
const receiver = useReceiver(ledger, ['subscription.updated']);

const RATES = {
  rates: [
    { country: 'DE', rate: '0.19', inclusive: true },
    { country: 'US', region: 'NY', rate: '0.08875', inclusive: false },
  ],
};

beforeAll(async () => {
  await knowPrices(ledger.backend, await putTaxRates(ledger.operator, ledger.appId, RATES));
});

async function subscribe(player: string, more: { regionCode?: string; paymentMethod?: string }) {
  const bought = await buy(ledger.backend, { plan: 'gold', player, ...more });
  const path = `/sdk/subscriptions/${bought.subscriptionId}`;
  return { id: bought.subscriptionId, path, server: path.replace('/sdk', '/sdk/server') };
}

const patch = (path: string, body: object, headers = {}) =>
  ledger.backend.send('PATCH', path, { body, headers });

/** The data of the webhooks of a subscription's change. */
const updates = (id: string) =>
  receiver.received.filter(({ data }) => data['id'] === id).map(({ data }) => data);

/** Lets the next charge happen. @returns its payment, the newest one. */
async function renew(path: string) {
  const { body } = requireOk(await ledger.backend.get(path));
  await advanceTo(ledger.operator, ledger.appId, String(body['next_billing_date']));
  const list = requireOk(await ledger.backend.get(`${path}/payments?limit=1`));
  const [newest] = list.body['payments'] as Record<string, unknown>[];
  return { amountCents: newest?.['amountCents'], tax: newest?.['totalTaxAmountCents'] };
}

describe('another region of a subscription', () => {
  it('is previewed, told by a webhook, and taxes the next charge and none before', async () => {
    const { id, path, server } = await subscribe('mover', { regionCode: 'DE' });
    const before = requireOk(await ledger.backend.get(path));
    expect(before.body['region_code']).toBe('DE');
    const wish = { regionCode: 'US-NY' };
    const preview = requireOk(await patch(server, { ...wish, preview: true }));
    expect(preview.body).toMatchObject({
      ...{ effectiveAt: before.body['next_billing_date'], currency: 'USD', amountCents: '1088' },
      lines: [
        { kind: 'recurring', amountCents: '999' },
        { kind: 'tax', amountCents: '89', tax: { rate: '0.08875', inclusive: false } },
      ],
    });
    expect(requireOk(await ledger.backend.get(path)).body).toEqual(before.body);
    // A preview holds only for its revision.
    const held = { 'if-match': String(preview.headers.get('etag')) };
    const changed = requireOk(await patch(server, wish, held));
    expect(changed.body).toEqual({ ...before.body, region_code: 'US-NY' });
    const read = requireOk(await ledger.backend.get(path, seeing(changed)));
    expect(read.body).toEqual(changed.body);
    expect(read.headers.get('etag')).toBe(changed.headers.get('etag'));
    await eventually(() => updates(id).length > 0);
    expect(updates(id)).toEqual([changed.body]);
    expect(await renew(path)).toEqual({ amountCents: '1088', tax: '89' });
    expect((await patch(server, { regionCode: 'DE' }, held)).status).toBe(412);
  });

  it('is refused with its reason, and no player may say it', async () => {
    const { path, server } = await subscribe('refused', {});
    for (const body of [{}, { preview: true }, { regionCode: 'de' }, { regionCode: null }]) {
      expect(badFields(await patch(server, body))).toEqual(['regionCode']);
    }
    expect(badFields(await patch(server, { regionCode: 'x', preview: 1 }))).toEqual([
      'preview',
      'regionCode',
    ]);
    const token = await issuePlayerToken(ledger.backend, 'refused');
    const player = bearer(ledger.standalone.baseUrl, token);
    const asked = await player.send('PATCH', server, { body: { regionCode: 'DE' } });
    expect(asked.status).toBe(403);
    const none = await patch('/sdk/server/subscriptions/sub_none', { regionCode: 'DE' });
    expect(refusal(none)).toEqual([404, 5, 'SUBSCRIPTION_NOT_FOUND']);
    requireOk(await ledger.backend.post(`${path}/cancel`, {}));
    for (const body of [{ regionCode: 'DE' }, { regionCode: 'DE', preview: true }]) {
      expect(refusal(await patch(server, body))).toEqual([400, 9, 'SUBSCRIPTION_CANCELED']);
    }
    requireOk(await ledger.backend.post(`${path}/cancel`, { cancel_at_period_end: false }));
    expect(refusal(await patch(server, { regionCode: 'DE' }))).toEqual([
      ...[400, 9, 'SUBSCRIPTION_EXPIRED'],
    ]);
  });
});
