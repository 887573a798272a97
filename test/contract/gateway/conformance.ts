import { expect, it } from 'vitest';
import type { GatewayCharge, PaymentGateway } from '#gateway';
import { askTillAnswered, buildCharge, buildRefund } from './charges.js';

/** One gateway under test, and tokens of payment methods that bring about the cases of the rules. */
export interface GatewaySubject {
  readonly gateway: () => PaymentGateway;
  readonly methods: {
    readonly captured: string;
    readonly declined: string;
    readonly pending: string;
    readonly losesItsAnswer: string;
    readonly isDown: string;
  };
  /** For banks that let players confirm: a method of such a bank, and the player's decision. */
  readonly challenges?: {
    readonly method: string;
    readonly decide: (charge: GatewayCharge, isAccepted: boolean) => Promise<void>;
  };
  /** How much was captured for a reference, in minor units, as the gateway's own books have it. */
  readonly sumCaptured: (reference: string) => Promise<bigint>;
  /** Waits until a pending charge has its outcome. */
  readonly settle: () => Promise<void>;
}

/** The rules of the port (rules/payments 9), which every adapter has to keep, in whatever mood it is. */
export function itKeepsTheRulesOfTheGateway(subject: GatewaySubject): void {
  itCharges(subject);
  itFindsWhatBecameOfAKey(subject);
  itRefunds(subject);
  if (subject.challenges) itLetsPlayersConfirm(subject, subject.challenges);
}

function itCharges({ methods, sumCaptured, gateway, settle }: GatewaySubject): void {
  const charge = (asked: ReturnType<typeof buildCharge>) =>
    askTillAnswered(() => gateway().charge(asked));

  it('knows its payment methods and no others, and for how long it remembers a key', () => {
    for (const method of Object.values(methods)) expect(gateway().knows(method)).toBe(true);
    expect(gateway().knows('pm_of_nobody')).toBe(false);
    expect(gateway().knows('')).toBe(false);
    expect(gateway().keyLifetimeMs).toBeGreaterThan(0);
  });

  it('captures, and tells of the payment method', async () => {
    const asked = buildCharge(methods.captured);
    const outcome = await charge(asked);
    expect(outcome.status).toBe('captured');
    expect(outcome).toHaveProperty('method.paymentMethodSubType');
    expect(await sumCaptured(asked.reference)).toBe(999n);
  });

  it('declines with a normalized reason and class, and takes nothing', async () => {
    const asked = buildCharge(methods.declined);
    const decline = { reason: expect.any(String), declineClass: expect.any(String) };
    expect(await charge(asked)).toMatchObject({ status: 'declined', decline });
    expect(await sumCaptured(asked.reference)).toBe(0n);
  });

  it('takes nothing where 0 was to be charged, and says what became of it', async () => {
    const asked = {
      ...buildCharge(methods.captured),
      amount: { amountMinor: '0', currency: 'USD' },
    };
    expect(['captured', 'declined']).toContain((await charge(asked)).status);
    expect(await sumCaptured(asked.reference)).toBe(0n);
  });

  it('gives the same key the same outcome, and charges it once', async () => {
    for (const method of [methods.captured, methods.declined]) {
      const asked = buildCharge(method);
      const first = await charge(asked);
      expect(await charge(asked)).toEqual(first);
    }
  });

  it('charges a key once when it is asked many times at once', async () => {
    const asked = buildCharge(methods.captured);
    const calls = Array.from({ length: 8 }, () => charge(asked));
    for (const { status } of await Promise.all(calls)) expect(status).toBe('captured');
    expect(await sumCaptured(asked.reference)).toBe(999n);
  });

  it('leaves a pending charge open, and settles it for the same key', async () => {
    const asked = buildCharge(methods.pending);
    expect(await charge(asked)).toEqual({ status: 'pending' });
    expect(await charge(asked)).toEqual({ status: 'pending' });
    expect(await sumCaptured(asked.reference)).toBe(0n);
    await settle();
    expect(await charge(asked)).toMatchObject({ status: 'captured' });
    expect(await sumCaptured(asked.reference)).toBe(999n);
  });

  it('tells the truth to a later call when an answer was lost', async () => {
    const asked = buildCharge(methods.losesItsAnswer);
    await expect(gateway().charge(asked)).rejects.toMatchObject(UNKNOWN);
    expect(await charge(asked)).toMatchObject({ status: 'captured' });
    expect(await sumCaptured(asked.reference)).toBe(999n);
  });

  it('that is down takes nothing, and says that it can be asked again', async () => {
    const asked = buildCharge(methods.isDown);
    await expect(gateway().charge(asked)).rejects.toMatchObject(UNKNOWN);
    await expect(gateway().charge(asked)).rejects.toMatchObject(UNKNOWN);
    expect(await sumCaptured(asked.reference)).toBe(0n);
  });
}

function itFindsWhatBecameOfAKey({ methods, sumCaptured, gateway, settle }: GatewaySubject): void {
  const find = (query: { readonly key: string; readonly reference: string }) =>
    askTillAnswered(() => gateway().findCharge(query));

  it('finds what became of a key, as it was answered', async () => {
    for (const method of [methods.captured, methods.declined]) {
      const asked = buildCharge(method);
      const outcome = await askTillAnswered(() => gateway().charge(asked));
      expect(await find(asked)).toEqual(outcome);
    }
  });

  it('finds nothing under a key that never arrived, and charges nothing by looking', async () => {
    const asked = buildCharge(methods.captured);
    expect(await find(asked)).toEqual({ status: 'unknown' });
    expect(await find({ ...asked, key: 'pay_other' })).toEqual({ status: 'unknown' });
    expect(await sumCaptured(asked.reference)).toBe(0n);
  });

  it('finds a pending charge, and its outcome when it has one', async () => {
    const asked = buildCharge(methods.pending);
    await askTillAnswered(() => gateway().charge(asked));
    expect(await find(asked)).toEqual({ status: 'pending' });
    await settle();
    expect(await find(asked)).toMatchObject({ status: 'captured' });
    expect(await sumCaptured(asked.reference)).toBe(999n);
  });

  it('finds a charge whose answer was lost', async () => {
    const asked = buildCharge(methods.losesItsAnswer);
    await expect(gateway().charge(asked)).rejects.toMatchObject(UNKNOWN);
    expect(await find(asked)).toMatchObject({ status: 'captured' });
    expect(await sumCaptured(asked.reference)).toBe(999n);
  });
}

function itLetsPlayersConfirm(
  { gateway, sumCaptured }: GatewaySubject,
  { method, decide }: NonNullable<GatewaySubject['challenges']>,
): void {
  const present = () => ({ ...buildCharge(method), returnUrl: 'https://pay.example/checkout/1' });
  const charge = (asked: GatewayCharge) => askTillAnswered(() => gateway().charge(asked));
  const find = (asked: GatewayCharge) => askTillAnswered(() => gateway().findCharge(asked));

  it('tells the same challenge until it is decided, and takes nothing', async () => {
    const asked = present();
    const challenge = await charge(asked);
    expect(challenge).toEqual({ status: 'challenge', url: expect.stringMatching(/^https?:/) });
    expect(await charge(asked)).toEqual(challenge);
    expect(await find(asked)).toEqual(challenge);
    expect(await sumCaptured(asked.reference)).toBe(0n);
  });

  it('captures what the player confirms, once', async () => {
    const asked = present();
    await charge(asked);
    await decide(asked, true);
    expect(await find(asked)).toMatchObject({ status: 'captured' });
    expect(await charge(asked)).toMatchObject({ status: 'captured' });
    await decide(asked, false);
    expect(await find(asked)).toMatchObject({ status: 'captured' });
    expect(await sumCaptured(asked.reference)).toBe(999n);
  });

  it('declines what the player declines, for good, as not authenticated', async () => {
    const asked = present();
    await charge(asked);
    await decide(asked, false);
    expect(await find(asked)).toMatchObject(NOT_CONFIRMED);
    await decide(asked, true);
    expect(await charge(asked)).toMatchObject(NOT_CONFIRMED);
    expect(await sumCaptured(asked.reference)).toBe(0n);
  });

  it('declines where the player is not there, or cannot be led back', async () => {
    const absent = { ...present(), offSession: true };
    expect(await charge(absent)).toMatchObject(NOT_CONFIRMED);
    expect(await charge(buildCharge(method))).toMatchObject(NOT_CONFIRMED);
  });
}

const NOT_CONFIRMED = {
  status: 'declined',
  decline: { reason: 'authentication_required', declineClass: 'authentication_required' },
};

function itRefunds({ methods, gateway }: GatewaySubject): void {
  it('refunds a part, each key once, never more than was captured, and finds it', async () => {
    const charge = buildCharge(methods.captured);
    await askTillAnswered(() => gateway().charge(charge));
    const refund = async (name: string, amountMinor: string) => {
      const asked = buildRefund(charge, name, amountMinor);
      return (await askTillAnswered(() => gateway().refund(asked))).status;
    };
    const find = async (name: string) => {
      const query = buildRefund(charge, name, '1');
      return (await askTillAnswered(() => gateway().findRefund(query))).status;
    };
    expect(await find('first')).toBe('unknown');
    expect(await refund('first', '400')).toBe('refunded');
    expect(await refund('first', '400')).toBe('refunded');
    expect(await refund('second', '600')).toBe('refused');
    expect(await refund('third', '599')).toBe('refunded');
    expect(await refund('fourth', '1')).toBe('refused');
    expect(await find('first')).toBe('refunded');
    expect(['unknown', 'refused']).toContain(await find('second'));
  });
}

/** Out of reach, or the answer was lost: the key is the way to know. */
const UNKNOWN = { name: 'Fault', code: 'unavailable', retryable: true };
