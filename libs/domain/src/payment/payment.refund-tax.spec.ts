import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { money } from '../money/index.js';
import { type PaymentCommand, paymentAggregate } from './payment.decide.js';
import type { PaymentEvent } from './payment.events.js';
import { refundable, type RequestedPayment } from './payment.state.js';
import { taxedLines } from './spec-support/lines.js';
import { periodCharge } from './spec-support/period-charge.js';

const { decider } = paymentAggregate;

/** The tax in refunds (rules/payments 13), whatever the price, the rate and the parts. */
const AT = '2027-01-31T10:00:00.000Z';
const method = { paymentMethodSubType: '', issuerBank: '' };
const usd = (minor: bigint) => money(minor, 'USD');

type Kind = 'refunded' | 'failed' | 'lost';
interface Step {
  readonly kind: Kind;
  readonly part: bigint;
}
/** A requested refund, and the part of the payment and its tax that was gone with it. */
interface Asked {
  readonly given: bigint;
  readonly tax: bigint;
  readonly goneAmount: bigint;
  readonly goneTax: bigint;
}

/** In percent of the whole price: at most the half of it is tax. */
const share = fc.bigInt({ min: 0n, max: 50n });
const price = fc.bigInt({ min: 1n, max: 300n });
const part = fc.oneof(fc.bigInt({ min: 1n, max: 3n }), fc.bigInt({ min: 1n, max: 100n }));
const listSteps = (...kinds: Kind[]) =>
  fc.array(fc.record({ kind: fc.constantFrom(...kinds), part }), { maxLength: 40 });

describe('the tax in refunds of one payment', () => {
  it.each([
    [999n, 160n, [234n, 259n, 284n, 221n, 1n], [37n, 42n, 45n, 36n, 0n]],
    [5n, 2n, [1n, 1n, 1n, 1n, 1n], [0n, 1n, 0n, 1n, 0n]],
  ])(
    'of %d with %d of tax, given back as %s, is what the refunds before have not taken',
    (...row) => {
      const [paid, whole, parts, taxes] = row;
      const steps = parts.map((part) => ({ kind: 'refunded', part }) as const);
      expect(play(paid, whole, steps).asked.map(({ tax }) => tax)).toEqual(taxes);
    },
  );

  it('counts on from the tax of all that is gone, where a dispute has taken some of it', () => {
    const steps = [
      { kind: 'refunded', part: 1n },
      { kind: 'lost', part: 2n },
      { kind: 'refunded', part: 1n },
    ] as const;
    expect(play(7n, 3n, steps).asked.map(({ tax }) => tax)).toEqual([0n, 1n, 0n, 1n]);
  });

  it('is never half a minor unit off in all that went back by then, and all of it in the end', () => {
    fc.assert(
      fc.property(price, share, listSteps('refunded'), (paid, of, steps) => {
        const whole = (paid * of) / 100n;
        const { asked } = play(paid, whole, steps);
        for (const { goneAmount, goneTax } of asked) {
          const doubled = 2n * (goneTax * paid - whole * goneAmount);
          expect(doubled <= paid && doubled >= -paid).toBe(true);
        }
        expect(asked.at(-1)).toMatchObject({ goneAmount: paid, goneTax: whole });
      }),
    );
  });

  it('is within a minor unit of its share beside disputes that were lost', () => {
    fc.assert(
      fc.property(price, share, listSteps('refunded', 'lost'), (paid, of, steps) => {
        const whole = (paid * of) / 100n;
        const { asked } = play(paid, whole, steps);
        for (const { given, tax } of asked) {
          const off = tax * paid - whole * given;
          expect(off <= paid && off >= -paid).toBe(true);
        }
      }),
    );
  });

  it('is never below nothing and never above the money, also where others have failed', () => {
    fc.assert(
      fc.property(price, share, listSteps('refunded', 'failed', 'lost'), (paid, of, steps) => {
        const whole = (paid * of) / 100n;
        const { asked } = play(paid, whole, steps);
        for (const { given, tax } of asked) expect(tax >= 0n && tax <= given).toBe(true);
        if (steps.every(({ kind }) => kind !== 'lost')) expect(asked.at(-1)?.goneTax).toBe(whole);
      }),
    );
  });
});

/**
 * Asks for refunds of parts and loses disputes; refunds that fail do so behind all of these. Then comes a refund of the
 * least amount, and one of all that is left.
 */
function play(paid: bigint, whole: bigint, steps: readonly Step[]) {
  let state = begin(paid, whole);
  const asked: Asked[] = [];
  const take = ({ kind, part }: Step, id: string) => {
    const left = BigInt(refundable(state).amountMinor);
    const given = part < left ? part : left;
    if (given === 0n) return;
    if (kind === 'lost') {
      state = run(state, { kind: 'CloseDispute', ...lose(id, given) });
      return;
    }
    state = run(state, {
      kind: 'RequestRefund',
      refundId: id,
      amountMinor: String(given),
      now: AT,
    });
    asked.push(describeLast(state, given));
    if (kind === 'failed') return;
    state = run(state, { kind: 'ConfirmRefund', refundId: id, now: AT });
  };
  steps.forEach((step, index) => take(step, `id_${index}`));
  for (const { refundId } of state.openRefunds)
    state = run(state, { kind: 'FailRefund', refundId, now: AT });
  take({ kind: 'refunded', part: 1n }, 'least');
  take({ kind: 'refunded', part: paid }, 'rest');
  return { asked };
}

function lose(disputeId: string, part: bigint) {
  return { disputeId, amount: usd(part), won: false, now: AT };
}

function describeLast(state: RequestedPayment, given: bigint): Asked {
  const tax = BigInt(state.openRefunds.at(-1)?.tax?.amountMinor ?? -1);
  const gone = [...state.madeRefunds, ...state.openRefunds];
  const sum = (pick: (one: (typeof gone)[number]) => string) =>
    gone.reduce((total, one) => total + BigInt(pick(one)), 0n);
  const goneAmount = sum(({ amount }) => amount.amountMinor);
  return { given, tax, goneAmount, goneTax: sum((one) => one.tax?.amountMinor ?? '0') };
}

function run(state: RequestedPayment, command: PaymentCommand): RequestedPayment {
  const decision = decider.decide(command, state);
  if (!decision.accepted) throw new Error(decision.rejection.code);
  return fold(decision.events, state);
}

function begin(paid: bigint, tax: bigint): RequestedPayment {
  const charge = periodCharge({ subscriptionId: 'sub_1', amount: usd(paid), start: AT, number: 1 });
  const about = { paymentId: 'pay_1', appId: 'app_1', player: '', checkoutLinkId: '' };
  const lines = taxedLines(usd(paid - tax), usd(tax), { start: AT, end: AT });
  const data = { ...charge, ...about, lines, paymentMethod: '', personal: {}, requestedAt: AT };
  return fold([
    { type: 'payment.requested.v3', data },
    { type: 'payment.captured.v1', data: { ...method, capturedAt: AT } },
  ]);
}

function fold(events: readonly PaymentEvent[], from = decider.initialState) {
  const state = events.reduce(decider.evolve, from);
  if (state.status === 'none') throw new Error('no payment was asked for');
  return state;
}
