import { describe, expect, it } from 'vitest';
import { START } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { isOnDisk } from '../integration/tenancy/players.js';
import { bearer } from '../support/api-client.js';
import { subledger } from '../cli/subledger.js';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger, useReceiver } from '../support/fixture.js';
import { checkoutLink, issuePlayerToken, requireOk, tokenIn } from '../support/scenario.js';
import { readStoreUrl } from '../support/standalone.js';

const ledger = useLedger();
const receiver = useReceiver(ledger);
/** No other test writes these. */
const ACCOUNT = 'needle-account-0815';
const TEXTS = ['needle-reference-0815', 'needle-campaign-0815'] as const;
const OF_ORDERS = ['needle-pack-0815', 'needle-mail-0815@example.com'] as const;

/** As an operator types it on the machine of the standalone. */
async function erase(...options: string[]) {
  const args = ['players', 'erase', '--json', '--app', ledger.appId, ...options];
  const { code, stdout, stderr } = await subledger(args, { DATA_DIR: ledger.standalone.dataDir });
  const parse = (text: string) => JSON.parse(text || '{}') as Record<string, unknown>;
  return { code, answer: parse(stdout), error: parse(stderr)['error'] };
}

async function buy() {
  const [referenceId, campaign] = TEXTS;
  const link = { plan: 'gold', player: ACCOUNT, referenceId, metadata: { campaign } };
  const { id } = await checkoutLink(ledger.backend, link);
  const paid = { paymentMethod: 'pm_ok' };
  const completed = requireOk(await ledger.backend.post(`/checkout/${id}/complete`, paid));
  const subscriptionId = String(completed.body['subscriptionId']);
  return { subscriptionId, headers: { 'x-consistency-token': tokenIn(completed) } };
}

/** An order of a payment link, which is paid, or waits. */
async function order(paymentMethod?: string) {
  const [pack, email] = OF_ORDERS;
  const items = [{ id: 'gems', name: 'Gems', quantity: 1, price: '4.99', metadata: { pack } }];
  const link = { items, currency: 'USD', user: { id: ACCOUNT, email } };
  const { body } = requireOk(await ledger.backend.post('/sdk/server/checkout-links', link));
  const page = `/checkout/${String(body['id'])}`;
  if (paymentMethod === undefined) return { page };
  const paid = await ledger.backend.post(`${page}/complete`, { paymentMethod });
  return { page, orderId: String(paid.body['orderId']) };
}

/** The stored texts of the player's own stream, those that were truncated included. */
async function readPlayer(player: string): Promise<string> {
  const url = await readStoreUrl(ledger.standalone);
  const store = connectEventStore(url, { namespace: 'sl' });
  const isRead = new AbortController();
  let text = '';
  try {
    const items = store.verbatim.follow(START, `player-..\\.${player}$`, isRead.signal);
    for await (const item of items) {
      if (item.kind === 'caught-up') isRead.abort();
      if (item.kind === 'event') text += Buffer.from(item.event.data).toString('utf8');
    }
    return text;
  } finally {
    await store.dispose();
  }
}

describe('subledger players erase', () => {
  it('leaves money and history, and nothing that says who it was', async () => {
    const { subscriptionId, headers } = await buy();
    const { orderId } = await order('pm_ok');
    const { page } = await order();
    const { baseUrl, dataDir } = ledger.standalone;
    const player = bearer(baseUrl, await issuePlayerToken(ledger.backend, ACCOUNT));
    const read = async () => ({
      subscription: (await ledger.backend.get(`/sdk/subscriptions/${subscriptionId}`, { headers }))
        .body,
      payments: (await player.get(`/sdk/subscriptions/${subscriptionId}/payments`, { headers }))
        .body,
      order: (await ledger.backend.get(`/sdk/server/orders/${orderId}`)).body,
    });
    const before = await read();
    expect(JSON.stringify(before.payments)).toContain(ACCOUNT);

    const refused = await erase('--account', ACCOUNT);
    expect(refused).toMatchObject({ code: 1, error: { reason: 'PLAYER_HAS_OPEN_PURCHASES' } });
    expect(JSON.stringify(refused.error)).toContain(`subscription ${subscriptionId} is active`);
    const [openOrder = ''] = /ord_\w+(?= is OPEN)/.exec(JSON.stringify(refused.error)) ?? [];
    const [pseudonym = ''] = /[0-9a-f]{32}/.exec(JSON.stringify(refused.error)) ?? [];
    const key = /"sealedKey":"([^"]+)"/
      .exec(await readPlayer(pseudonym))?.[1]
      ?.split('.')
      .at(-1);
    expect(await isOnDisk(dataDir, String(key))).toBe(true);
    const { code, answer, error } = await erase('--account', ACCOUNT, '--cancel');
    expect([code, error]).toEqual([0, undefined]);
    const canceled = [subscriptionId, openOrder];
    expect(answer).toMatchObject({ canceled, late: [], mayScavenge: true });
    const refusedPage = await ledger.backend.post(`${page}/complete`, { paymentMethod: 'pm_ok' });
    expect(refusal(refusedPage)).toEqual([400, 9, 'ORDER_CANCELED']);

    // Everything was sent before, with the studio's own id.
    const types = receiver.received.map(({ type }) => type);
    expect(types).toContain('subscription.expired');
    expect(types).toContain('PURCHASE_FAILED');
    for (const { bytes } of receiver.received) expect(bytes.toString()).toContain(ACCOUNT);

    const status = async () => (await erase('--player', pseudonym, '--status')).answer['erasures'];
    await eventually(async () => JSON.stringify(await status()).includes('"due":"nothing"'), {
      what: 'the scavenge',
    });
    expect(await readPlayer(pseudonym)).not.toMatch(/sealed/);
    for (const needle of [ACCOUNT, ...TEXTS, ...OF_ORDERS, String(key)]) {
      expect([needle, await isOnDisk(dataDir, needle)]).toEqual([needle, false]);
    }

    const after = await read();
    expect(after.subscription).toMatchObject({ external_account_id: 'erased', status: 'expired' });
    expect(after.order).toMatchObject({ orderId, userId: 'erased', status: 'PAID', total: '4.99' });
    expect(withoutPersonal(after.payments)).toEqual(withoutPersonal(before.payments));
    expect(JSON.stringify(after)).not.toMatch(/needle/);

    // The same player is the same pseudonym: known by name again, while texts of before stay gone.
    await checkoutLink(ledger.backend, { plan: 'gold', player: ACCOUNT });
    const again = await read();
    expect(again.subscription).toMatchObject({ external_account_id: ACCOUNT });
    expect(JSON.stringify(again.payments)).not.toContain('campaign');
  });
});

const PERSONAL = new Set([
  ...['externalAccountId', 'external_account_id', 'metadata'],
  ...['referenceId', 'reference_id', 'userEmail'],
]);

/** The part of an answer that must stay as it is. */
function withoutPersonal(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => (PERSONAL.has(key) ? undefined : value)),
  );
}
