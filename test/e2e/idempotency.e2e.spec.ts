import { beforeAll, describe, expect, it } from 'vitest';
import { addMilliseconds } from '#domain/calendar';
import { type ApiClient, bearer } from '../support/api-client.js';
import { errorReason, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import {
  buy,
  checkoutLink,
  issuePlayerToken,
  requireOk,
  seeing,
  tokenIn,
} from '../support/scenario.js';

const ledger = useLedger();
const DAY_MS = 86_400_000;
let player: ApiClient;

beforeAll(async () => {
  player = bearer(ledger.standalone.baseUrl, await issuePlayerToken(ledger.backend, 'player-1'));
});

async function subscribe(player_ = 'player-1'): Promise<string> {
  const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: player_ });
  return `/sdk/subscriptions/${subscriptionId}`;
}

describe('an Idempotency-Key', () => {
  it('is for one request: another command with it is refused', async () => {
    const headers = { 'idempotency-key': 'one' };
    const path = await subscribe();
    await player.post(`${path}/cancel`, {}, headers);
    const other = await player.post(`${path}/reactivate`, {}, headers);
    expect(refusal(other)).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('gives no answer to whom the object does not belong', async () => {
    const headers = { 'idempotency-key': 'mine' };
    const path = await subscribe();
    const mine = await player.post(`${path}/cancel`, {}, headers);
    const other = bearer(
      ledger.standalone.baseUrl,
      await issuePlayerToken(ledger.backend, 'player-2'),
    );
    const theirs = await other.post(`${path}/cancel`, {}, headers);
    expect(refusal(theirs)).toEqual([404, 5, 'SUBSCRIPTION_NOT_FOUND']);
    // The studio's backend repeats its player's request: one cancellation.
    const backends = await ledger.backend.post(`${path}/cancel`, {}, headers);
    expect(backends.headers.get('idempotency-replayed')).toBe('true');
    expect(backends.body).toEqual(mine.body);
  });

  it('is honoured where a test clock is advanced, whatever it shows by then', async () => {
    const path = `/manage/apps/${ledger.appId}/test-clock`;
    const { body } = requireOk(await ledger.operator.get(path));
    const after = (ms: number) => addMilliseconds(String(body['now']), ms);
    const headers = { 'idempotency-key': 'tomorrow' };
    const advance = (to: string, more: object = headers) =>
      ledger.operator.post(`${path}/advance`, { to }, { ...more });
    const first = requireOk(await advance(after(DAY_MS)));
    expect(first.body).toEqual({ now: after(DAY_MS) });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const other = await advance(after(2 * DAY_MS));
    expect(refusal(other)).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
    requireOk(await advance(after(2 * DAY_MS), {}));
    const again = requireOk(await advance(after(DAY_MS)));
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    // A key whose advance had nothing to do is kept as well.
    const second = { 'idempotency-key': 'the day after' };
    requireOk(await advance(after(2 * DAY_MS), second));
    const replayed = requireOk(await advance(after(2 * DAY_MS), second));
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  });

  it('is honoured by PATCH as by POST', async () => {
    const path = `/manage/apps/${ledger.appId}`;
    const rename = (name: string) =>
      ledger.operator.send('PATCH', path, { body: { name }, headers: { 'idempotency-key': 'p' } });
    const first = await rename('Renamed');
    await ledger.operator.send('PATCH', path, { body: { name: 'Renamed again' } });
    const again = await rename('Renamed');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await ledger.operator.get(path)).body).toMatchObject({ name: 'Renamed again' });
    expect(refusal(await rename('Renamed otherwise'))).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('makes one link of many requests at once', async () => {
    const body = { plan: { code: 'gold' }, currency: 'USD', user: { id: 'player-3' } };
    const path = '/sdk/subscriptions/checkout-links';
    const links = await Promise.all(
      Array.from({ length: 8 }, () => ledger.backend.post(path, body, { 'idempotency-key': 'l' })),
    );
    expect(new Set(links.map((link) => link.body['id'])).size).toBe(1);
    const other = await ledger.backend.post(
      path,
      { ...body, user: { id: 'player-4' } },
      { 'idempotency-key': 'l' },
    );
    expect(refusal(other)).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
  });
});

describe('an Idempotency-Key at the checkout', () => {
  const declines = { paymentMethod: 'pm_decline_do_not_honor' };

  async function openLink() {
    const { id } = await checkoutLink(ledger.backend, { plan: 'gold', player: 'player-5' });
    return (body: object, key: string) =>
      ledger.backend.post(`/checkout/${id}/complete`, body, { 'idempotency-key': key });
  }

  it('makes one attempt of many requests, one after the other and at once, a decline too', async () => {
    const complete = await openLink();
    const first = await complete(declines, 'a');
    expect(refusal(first)).toEqual([400, 9, 'PAYMENT_DECLINED']);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await Promise.all(Array.from({ length: 8 }, () => complete(declines, 'a')));
    for (const answer of again) {
      expect([answer.status, answer.body]).toEqual([400, first.body]);
      expect(answer.headers.get('idempotency-replayed')).toBe('true');
    }
    // Nine declines would have paused the link: there was one.
    const bought = await complete({ paymentMethod: 'pm_ok' }, 'b');
    expect([bought.status, bought.body]).toMatchObject([200, { status: 'active' }]);
    // The decline is that attempt's for good, whatever came after it; so is the purchase.
    expect((await complete(declines, 'a')).body).toEqual(first.body);
    const bodies = await Promise.all(
      Array.from({ length: 4 }, async () => (await complete({ paymentMethod: 'pm_ok' }, 'b')).body),
    );
    expect(bodies).toEqual(Array(4).fill(bought.body));
  });

  it('of another method is refused, and charges nothing', async () => {
    const complete = await openLink();
    await complete(declines, 'a');
    const other = await complete({ paymentMethod: 'pm_ok' }, 'a');
    expect(refusal(other)).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
    expect(errorReason(await complete(declines, 'a'))).toBe('PAYMENT_DECLINED');
  });

  it('of many requests at once with two methods charges by one of them', async () => {
    const complete = await openLink();
    const methods = ['pm_ok', 'pm_timeout', 'pm_ok', 'pm_timeout'];
    const answers = await Promise.all(
      methods.map((paymentMethod) => complete({ paymentMethod }, 'a')),
    );
    const bought = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 409);
    expect([bought.length, refused.length]).toEqual([2, 2]);
    expect(bought[0]?.body).toEqual(bought[1]?.body);
    const id = String(bought[0]?.body['subscriptionId']);
    const payments = await ledger.backend.get(
      `/sdk/subscriptions/${id}/payments`,
      seeing(bought[0]!),
    );
    expect(payments.body['payments']).toHaveLength(1);
  });

  it('that is new on a paid link leaves nothing in the store', async () => {
    const complete = await openLink();
    const bought = await complete({ paymentMethod: 'pm_ok' }, 'a');
    const first = await complete({ paymentMethod: 'pm_ok' }, 'key 0');
    for (const key of ['key 1', 'key 2', 'key 3']) {
      const again = await complete({ paymentMethod: 'pm_ok' }, key);
      expect([again.status, again.body]).toEqual([200, bought.body]);
      // The token names the last event of the link.
      expect(tokenIn(again)).toBe(tokenIn(first));
    }
  });
});

describe('If-Match', () => {
  it.each([
    ['a list with the tag as proxies weaken it', '"97", W/TAG', 200],
    ['a list without the tag', '"97","98"', 412],
  ])('of %s: %s -> %i', async (_, form, status) => {
    const path = await subscribe();
    const etag = (await player.post(`${path}/reactivate`)).headers.get('etag') ?? '"1"';
    const canceled = await player.post(`${path}/cancel`);
    const current = canceled.headers.get('etag') ?? etag;
    const headers = { 'if-match': form.replace('TAG', current) };
    const answer = await player.post(`${path}/reactivate`, {}, headers);
    expect(answer.status).toBe(status);
    if (status === 412) {
      expect([answer.body['code'], errorReason(answer)]).toEqual([9, 'REVISION_MISMATCH']);
    }
  });
});
