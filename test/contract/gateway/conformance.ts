import { expect, it } from '@jest/globals';
import type { GatewayCharge, GatewayRefund, PaymentGateway } from '#gateway';

/** One gateway under test, and tokens of payment methods that bring about what the rules speak of. */
export interface GatewaySubject {
  readonly gateway: () => PaymentGateway;
  readonly methods: {
    readonly captured: string;
    readonly declined: string;
    readonly pending: string;
    readonly losesItsAnswer: string;
    readonly isDown: string;
  };
  /** How much was captured for a reference, in minor units, as the gateway's own books have it. */
  readonly sumCaptured: (reference: string) => Promise<bigint>;
  /** Waits until a pending charge has its outcome. */
  readonly settle: () => Promise<void>;
}

/** The rules of the port (rules/payments 9), which every adapter has to keep. */
export function itKeepsTheRulesOfTheGateway(subject: GatewaySubject): void {
  const { methods, sumCaptured: sumCaptured, gateway } = subject;

  it('knows its payment methods and no others', () => {
    for (const method of Object.values(methods)) expect(gateway().knows(method)).toBe(true);
    expect(gateway().knows('pm_of_nobody')).toBe(false);
    expect(gateway().knows('')).toBe(false);
  });

  it('captures, and tells of the payment method', async () => {
    const charge = buildCharge(methods.captured);
    const outcome = await gateway().charge(charge);
    expect(outcome.status).toBe('captured');
    expect(outcome).toHaveProperty('method.paymentMethodSubType');
    expect(await sumCaptured(charge.reference)).toBe(999n);
  });

  it('declines with a normalized reason and class, and takes nothing', async () => {
    const charge = buildCharge(methods.declined);
    const outcome = await gateway().charge(charge);
    expect(outcome).toMatchObject({
      status: 'declined',
      decline: { reason: expect.any(String), declineClass: expect.any(String) },
    });
    expect(await sumCaptured(charge.reference)).toBe(0n);
  });

  it('gives the same key the same outcome, and charges it once', async () => {
    for (const method of [methods.captured, methods.declined]) {
      const charge = buildCharge(method);
      const first = await gateway().charge(charge);
      expect(await gateway().charge(charge)).toEqual(first);
    }
  });

  it('charges a key once when it is asked many times at once', async () => {
    const charge = buildCharge(methods.captured);
    const calls = Array.from({ length: 8 }, () => askTillAnswered(gateway(), charge));
    for (const { status } of await Promise.all(calls)) expect(status).toBe('captured');
    expect(await sumCaptured(charge.reference)).toBe(999n);
  });

  it('leaves a pending charge open, and settles it for the same key', async () => {
    const charge = buildCharge(methods.pending);
    expect(await gateway().charge(charge)).toEqual({ status: 'pending' });
    expect(await gateway().charge(charge)).toEqual({ status: 'pending' });
    expect(await sumCaptured(charge.reference)).toBe(0n);
    await subject.settle();
    expect(await gateway().charge(charge)).toMatchObject({ status: 'captured' });
    expect(await sumCaptured(charge.reference)).toBe(999n);
  });

  it('tells the truth to the next call when an answer was lost', async () => {
    const charge = buildCharge(methods.losesItsAnswer);
    await expect(gateway().charge(charge)).rejects.toMatchObject(UNKNOWN);
    expect(await gateway().charge(charge)).toMatchObject({ status: 'captured' });
    expect(await sumCaptured(charge.reference)).toBe(999n);
  });

  it('that is down takes nothing, and says that it can be asked again', async () => {
    const charge = buildCharge(methods.isDown);
    await expect(gateway().charge(charge)).rejects.toMatchObject(UNKNOWN);
    await expect(gateway().charge(charge)).rejects.toMatchObject(UNKNOWN);
    expect(await sumCaptured(charge.reference)).toBe(0n);
  });

  it('refunds a part, each key once, and never more than was captured', async () => {
    const charge = buildCharge(methods.captured);
    await gateway().charge(charge);
    await gateway().refund(buildRefund(charge, 'first', '400'));
    await gateway().refund(buildRefund(charge, 'first', '400'));
    await expect(gateway().refund(buildRefund(charge, 'second', '600'))).rejects.toMatchObject({
      code: 'refused',
      retryable: false,
    });
    await gateway().refund(buildRefund(charge, 'third', '599'));
    await expect(gateway().refund(buildRefund(charge, 'fourth', '1'))).rejects.toThrow();
  });
}

/** Out of reach, or the answer was lost: the same key is the way to know. */
const UNKNOWN = { name: 'Fault', code: 'unavailable', retryable: true };

let charges = 0;

function buildCharge(paymentMethod: string): GatewayCharge {
  charges += 1;
  return {
    key: `pay_${process.pid}_${charges}`,
    reference: `sub_${process.pid}_${charges}`,
    paymentMethod,
    amount: { amountMinor: '999', currency: 'USD' },
    offSession: false,
  };
}

function buildRefund(charge: GatewayCharge, name: string, amountMinor: string): GatewayRefund {
  const { key: chargeKey, reference } = charge;
  return {
    key: `${chargeKey}.${name}`,
    chargeKey,
    reference,
    amount: { amountMinor, currency: 'USD' },
  };
}

/** A gateway that others keep busy may ask to come again; its callers do. */
async function askTillAnswered(gateway: PaymentGateway, charge: GatewayCharge) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await gateway.charge(charge);
    } catch (error) {
      if (attempt === 10) throw error;
    }
  }
}
