import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentGateway } from '#gateway';
import { createStripeGateway } from '#gateway/stripe';
import { chargeOnce } from '../../../apps/worker/src/payments/once-at-gateway.js';
import { askTillAnswered, buildCharge, buildRefund } from '../../contract/gateway/charges.js';
import { itKeepsTheRulesOfTheGateway } from '../../contract/gateway/conformance.js';
import { forgettingKeys, losingAnswers } from '../../contract/gateway/moods.js';
import { decideAll } from '../../contract/gateway/stripe-stand-in/intents.js';
import { SECRET_KEY, startStripeStandIn } from '../../contract/gateway/stripe-stand-in/stand-in.js';

const appId = 'app_1';
let now = Date.parse('2027-01-31T10:00:00.000Z');
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;

beforeAll(async () => {
  standIn = await startStripeStandIn(() => now);
});
beforeEach(() => {
  standIn.searchLags = false;
});
afterAll(() => standIn.stop());

const usedAtMs = new Map<string, number>();
const lost = new Set<string>();

const MOODS: Readonly<Record<string, () => PaymentGateway>> = {
  'in no mood': stripe,
  'that forgets keys': () => forgettingKeys(stripe(), { usedAtMs, nowMs: () => now }),
  'whose answers are lost': () => losingAnswers(stripe(), lost),
};

describe.each(Object.entries(MOODS))('Stripe (a stand-in) %s', (_mood, gateway) => {
  itKeepsTheRulesOfTheGateway({
    gateway,
    methods: {
      captured: 'cus_1/pm_card_visa',
      declined: 'cus_1/pm_card_visa_chargeDeclined',
      pending: 'cus_1/pm_processing',
      losesItsAnswer: 'cus_1/pm_lost_answer',
      isDown: 'cus_1/pm_down',
    },
    challenges: {
      method: 'cus_1/pm_card_authenticationRequired',
      decide: async ({ reference }, isAccepted) =>
        decideAll(standIn.intents, reference, isAccepted),
    },
    sumCaptured: (reference) => Promise.resolve(standIn.sumCaptured(reference)),
    settle: () => {
      standIn.settle();
      return Promise.resolve();
    },
  });

  it('is charged once by the worker, however late it asks again', async () => {
    const charge = buildCharge('cus_1/pm_lost_answer');
    const askedAt = now;
    for (const ageHours of [0, 1, 22, 24, 48, 100, 1_000]) {
      now = askedAt + ageHours * 3_600_000;
      const use = { ageMs: now - askedAt, mayBeUsed: false };
      const outcome = await askTillAnswered(() => chargeOnce(gateway(), charge, use));
      expect(outcome.status).toBe('captured');
    }
    expect(standIn.sumCaptured(charge.reference)).toBe(999n);
  });
});

describe('Stripe (a stand-in)', () => {
  const returnUrl = 'https://pay.example/checkout/1';
  it.each([
    ['error_on_requires_action', 'true', { offSession: false }],
    ['return_url', returnUrl, { offSession: false, returnUrl }],
    ['off_session', 'true', { offSession: true, returnUrl }],
  ])(
    'is asked for one intent, confirmed at once under our key, with %s',
    async (field, value, presence) => {
      const charge = { ...buildCharge('cus_1/pm_card_visa'), ...presence };
      await stripe().charge(charge);
      expect(standIn.requests.at(-1)).toEqual({
        method: 'POST',
        path: '/v1/payment_intents',
        form: {
          amount: '999',
          currency: 'usd',
          customer: 'cus_1',
          payment_method: 'pm_card_visa',
          'allowed_payment_method_types[0]': 'card',
          confirm: 'true',
          [field]: value,
          'metadata[subledger_app]': appId,
          'metadata[subledger_key]': charge.key,
          'metadata[subledger_reference]': charge.reference,
          'expand[0]': 'latest_charge',
        },
      });
    },
  );

  it.each([
    ['cus_1/pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds', 'soft'],
    ['cus_1/pm_card_visa_chargeDeclinedLostCard', 'lost_or_stolen_card', 'hard'],
    ['cus_1/pm_card_chargeDeclinedFraudulent', 'fraud_suspected', 'fraud'],
    ['cus_1/pm_card_chargeDeclinedExpiredCard', 'expired_card', 'hard'],
    ['cus_1/pm_card_authenticationRequired', 'authentication_required', 'authentication_required'],
    ['cus_1/pm_detached', 'card_declined', 'hard'],
  ])('%s is declined: %s, %s', async (method, reason, declineClass) => {
    const decline = { reason, declineClass };
    expect(await stripe().charge(buildCharge(method))).toMatchObject({
      status: 'declined',
      decline,
    });
  });

  it.each([
    ['an amount that Stripe finds too small', { amountMinor: '49', currency: 'USD' }],
    ['a third decimal, which no card network has', { amountMinor: '9999', currency: 'KWD' }],
  ])('declines %s', async (_what, amount) => {
    const charge = { ...buildCharge('cus_1/pm_card_visa'), amount };
    const decline = { reason: 'processing_error', declineClass: 'hard' };
    expect(await stripe().charge(charge)).toMatchObject({ status: 'declined', decline });
    expect(standIn.sumCaptured(charge.reference)).toBe(0n);
  });

  it('that failed itself, and repeats that for the key, is found to have charged', async () => {
    const charge = buildCharge('cus_1/pm_failing');
    await expect(stripe().charge(charge)).rejects.toMatchObject(UNKNOWN);
    expect(await stripe().charge(charge)).toMatchObject({ status: 'captured' });
    expect(standIn.sumCaptured(charge.reference)).toBe(999n);
  });

  it('that failed itself stays without an outcome while the search does not show the charge', async () => {
    const charge = buildCharge('cus_1/pm_failing');
    standIn.searchLags = true;
    await expect(stripe().charge(charge)).rejects.toMatchObject(UNKNOWN);
    await expect(stripe().charge(charge)).rejects.toMatchObject(UNKNOWN);
  });

  it('gives the outcome of a key also where it comes with other parameters', async () => {
    const charge = buildCharge('cus_1/pm_card_visa');
    await stripe().charge(charge);
    const other = { ...charge, paymentMethod: 'cus_1/pm_card_visa_chargeDeclined' };
    expect(await stripe().charge(other)).toMatchObject({ status: 'captured' });
    expect(standIn.sumCaptured(charge.reference)).toBe(999n);
  });

  it('that is busy with the same key has no outcome yet', async () => {
    const charge = buildCharge('cus_1/pm_slow');
    const first = stripe().charge(charge);
    await standInHas(charge.key);
    await expect(stripe().charge(charge)).rejects.toMatchObject(UNKNOWN);
    expect(await first).toMatchObject({ status: 'captured' });
    expect(standIn.sumCaptured(charge.reference)).toBe(999n);
  });

  it('that hangs is given up, and its charge is found', async () => {
    const options = { appId, secretKey: SECRET_KEY, apiBase: standIn.url, callLimitMs: 50 };
    const charge = buildCharge('cus_1/pm_hanging');
    await expect(createStripeGateway(options).charge(charge)).rejects.toMatchObject(UNKNOWN);
    expect(await stripe().findCharge(charge)).toMatchObject({ status: 'captured' });
  }, 5_000);

  it('that has forgotten a key would charge twice where it is asked again without looking', async () => {
    const charge = buildCharge('cus_1/pm_card_visa');
    await stripe().charge(charge);
    now += stripe().keyLifetimeMs;
    await stripe().charge(charge);
    expect(standIn.sumCaptured(charge.reference)).toBe(1998n);
  });

  it('finds a key as it is written: the search takes capitals for small letters', async () => {
    const charge = buildCharge('cus_1/pm_card_visa');
    await stripe().charge(charge);
    const query = { ...charge, key: charge.key.toUpperCase() };
    expect(await stripe().findCharge(query)).toEqual({ status: 'unknown' });
  });

  it('that was charged twice under one key all the same has captured it', async () => {
    const charge = buildCharge('cus_1/pm_card_visa_chargeDeclined');
    await stripe().charge(charge);
    now += stripe().keyLifetimeMs;
    await stripe().charge({ ...charge, paymentMethod: 'cus_1/pm_card_visa' });
    expect(await stripe().findCharge(charge)).toMatchObject({ status: 'captured' });
  });

  it('that does not take our secret key is out of reach, and the key is in no message', async () => {
    const gateway = createStripeGateway({
      appId,
      secretKey: 'sk_test_other',
      apiBase: standIn.url,
    });
    const answer = gateway.charge(buildCharge('cus_1/pm_card_visa'));
    await expect(answer).rejects.toMatchObject(UNKNOWN);
    await expect(answer).rejects.not.toThrow(/sk_test_other/);
  });

  it('that does not know the customer has our key of another account: nothing is declined', async () => {
    const charge = buildCharge('cus_elsewhere/pm_card_visa');
    await expect(stripe().charge(charge)).rejects.toMatchObject(UNKNOWN);
    // Also where the charge was made already, and its answer was lost.
    const before = { ageMs: 0, mayBeUsed: true };
    await expect(chargeOnce(stripe(), charge, before)).rejects.toMatchObject(UNKNOWN);
  });

  it('that nothing listens for is out of reach', async () => {
    const gateway = createStripeGateway({
      ...{ appId, secretKey: SECRET_KEY },
      apiBase: new URL('http://127.0.0.1:1'),
    });
    const answer = gateway.charge(buildCharge('cus_1/pm_card_visa'));
    await expect(answer).rejects.toMatchObject(UNKNOWN);
  });

  it('gets our secret key nowhere else but at Stripe, and on this machine', () => {
    const apiBase = new URL('http://stripe.example');
    expect(() => createStripeGateway({ appId, secretKey: SECRET_KEY, apiBase })).toThrow(
      /loopback/,
    );
  });

  it('refuses no refund of a charge that the search does not show yet', async () => {
    const charge = buildCharge('cus_1/pm_card_visa');
    await stripe().charge(charge);
    const refund = buildRefund(charge, 'whole', '999');
    standIn.searchLags = true;
    await expect(stripe().refund(refund)).rejects.toMatchObject(UNKNOWN);
    standIn.searchLags = false;
    expect(await stripe().refund(refund)).toEqual({ status: 'refunded' });
  });

  it('refuses a refund of what was declined, or was given back whole', async () => {
    const declined = buildCharge('cus_1/pm_card_visa_chargeDeclined');
    const charge = buildCharge('cus_1/pm_card_visa');
    for (const each of [declined, charge]) await stripe().charge(each);
    await stripe().refund(buildRefund(charge, 'whole', '999'));
    for (const refund of [buildRefund(declined, 'a', '1'), buildRefund(charge, 'more', '999')]) {
      expect(await stripe().refund(refund)).toMatchObject({ status: 'refused' });
    }
  });

  it('leaves a refund open, and knows its outcome for the same key', async () => {
    const refund = await buildWholeRefund('cus_1/pm_refund_pending');
    expect(await stripe().refund(refund)).toEqual({ status: 'pending' });
    standIn.settle();
    expect(await stripe().refund(refund)).toEqual({ status: 'refunded' });
  });

  it('that failed itself at a refund is found to have made it', async () => {
    const refund = await buildWholeRefund('cus_1/pm_refund_failing');
    await expect(stripe().refund(refund)).rejects.toMatchObject(UNKNOWN);
    expect(await stripe().refund(refund)).toEqual({ status: 'refunded' });
  });
});

const UNKNOWN = { name: 'Fault', code: 'unavailable', retryable: true };

function stripe(): PaymentGateway {
  return createStripeGateway({ appId, secretKey: SECRET_KEY, apiBase: standIn.url });
}

/** A refund of all of a charge that was captured. */
async function buildWholeRefund(paymentMethod: string) {
  const charge = buildCharge(paymentMethod);
  await stripe().charge(charge);
  return buildRefund(charge, 'whole', '999');
}

/** Waits until the stand-in has got a charge. */
async function standInHas(key: string): Promise<void> {
  const has = () => standIn.requests.some(({ form }) => form['metadata[subledger_key]'] === key);
  for (let waits = 0; waits < 1_000 && !has(); waits += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(has()).toBe(true);
}
