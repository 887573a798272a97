import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CardEntry } from '#gateway';
import { createStripeGateway } from '#gateway/stripe';
import { SECRET_KEY, startStripeStandIn } from '../../contract/gateway/stripe-stand-in/stand-in.js';

/** Cards that are entered on the page at Stripe (rules/stripe 9). */
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;
let cards: CardEntry;

beforeAll(async () => {
  standIn = await startStripeStandIn(Date.now);
  const gateway = createStripeGateway({
    appId: 'app_1',
    secretKey: SECRET_KEY,
    apiBase: standIn.url,
  });
  if (gateway.cards === undefined) throw new Error('there are no cards');
  cards = gateway.cards;
});
afterAll(() => standIn.stop());

const page = 'https://shop.example/checkout/cl_1';
const begin = (key: string, details = {}, language = 'de') =>
  cards.begin({
    ...{ key, linkId: 'cl_1', language, details },
    ...{ returnUrl: `${page}/card`, cancelUrl: page },
  });

async function enter(address: string): Promise<string> {
  const body = new URLSearchParams({ payment_method: 'pm_card_visa' });
  const answer = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  expect(back.origin + back.pathname).toBe(`${page}/card`);
  return back.searchParams.get('session') ?? '';
}

describe('a card at Stripe', () => {
  it('is taken in a session of setup mode, of a customer of the link', async () => {
    const address = await begin('key-1');
    const [customer, session] = standIn.requests.slice(-2);
    expect(customer).toMatchObject({
      path: '/v1/customers',
      form: { 'metadata[subledger_link]': 'cl_1' },
    });
    expect(session).toMatchObject({
      path: '/v1/checkout/sessions',
      form: {
        ...{ mode: 'setup', locale: 'de', cancel_url: page, client_reference_id: 'cl_1' },
        ...{ 'allowed_payment_method_types[0]': 'card', 'metadata[subledger_link]': 'cl_1' },
        success_url: `${page}/card?session={CHECKOUT_SESSION_ID}`,
      },
    });
    expect(await begin('key-1')).toBe(address);
    await begin('key-2', {}, 'xx');
    expect(standIn.requests.at(-1)?.form).toMatchObject({ locale: 'auto' });
  });

  it('is given for its link alone, with what the page showed, once it was entered', async () => {
    const address = await begin('key-3', { amountCents: '499' });
    const open = address.split('/').at(-1) ?? '';
    expect(await cards.find(open, 'cl_1')).toBeUndefined();
    const session = await enter(address);
    expect(session).toBe(open);
    expect(await cards.find(session, 'cl_1')).toEqual({
      paymentMethod: expect.stringMatching(/^cus_\w+\/pm_card_visa$/),
      details: { amountCents: '499' },
    });
    expect(await cards.find(session, 'cl_2')).toBeUndefined();
    for (const other of ['', 'cs_none', '../customers', `${session}?x=1`]) {
      expect(await cards.find(other, 'cl_1')).toBeUndefined();
    }
  });

  it('is not believed where only the reference is of the link', async () => {
    const session = await enter(await begin('key-4'));
    const known = standIn.sessions.get(session);
    if (known !== undefined) standIn.sessions.set(session, { ...known, metadata: {} });
    expect(await cards.find(session, 'cl_1')).toBeUndefined();
  });

  it('is unknown while Stripe does not take the key', async () => {
    const gateway = createStripeGateway({
      appId: 'app_1',
      secretKey: 'sk_test_other',
      apiBase: standIn.url,
    });
    const asked = gateway.cards?.find('cs_test_1', 'cl_1');
    await expect(asked).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });
});
