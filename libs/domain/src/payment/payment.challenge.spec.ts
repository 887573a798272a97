import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { paymentAggregate } from './payment.decide.js';
import type { PaymentEvent } from './payment.events.js';
import { capturedAt, method, requested } from './spec-support/payments.js';

const { decider } = paymentAggregate;

/** The bank wants the player to confirm a charge (rules/payments 19). */
const T1 = '2027-01-31T10:00:01.000Z';
const sealedUrl = 'https://bank.example/1';
const asked = requested();
const captured = capturedAt(T1);
const pending: PaymentEvent = { type: 'payment.pending.v1', data: { pendingSince: T1 } };
const challenged: PaymentEvent = {
  type: 'payment.challenged.v2',
  data: { sealedUrl, challengedAt: T1 },
};
const challenge = { kind: 'ChallengePayment', sealedUrl, now: T1 } as const;

describe('a payment that the player has to confirm', () => {
  it('is pending, and says so once: what waits for the outcome is not kept by it', () => {
    expect(given(decider, asked).when(challenge)).toEqual([pending, challenged]);
    expect(given(decider, asked, pending).when(challenge)).toEqual([challenged]);
    expect(given(decider, asked, pending, challenged).when(challenge)).toEqual([]);
    expect(given(decider, asked, pending, challenged).state).toMatchObject({
      ...{ status: 'PENDING', challengedAt: T1, capturedAt: null },
    });
  });

  it('is captured, declined or given up as any other', () => {
    const open = given(decider, asked, pending, challenged);
    const capture = { kind: 'CapturePayment', method, now: T1 } as const;
    expect(open.when(capture)).toEqual([captured]);
    const giveUp = { kind: 'GiveUpPayment', now: T1, wallNow: T1 } as const;
    expect(open.when(giveUp)).toMatchObject([{ type: 'payment.given_up.v1' }]);
  });

  it('has its outcome where the answer that says so comes too late', () => {
    expect(given(decider, asked, captured).when(challenge)).toEqual([]);
  });
});
