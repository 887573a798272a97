import { describe, expect, it, vi } from 'vitest';
import { paymentAggregate } from '#domain/payment';
import type { CommandExecutor } from '#event-store';
import type { PendingCharge } from '#projections';
import { PendingCharges } from '../billing-clock/pending-charges.js';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { at, createEvent, silent } from '../spec-support/fakes.js';
import { TestClockCharges } from './test-clock-charges.js';

const charge = { subjectId: 'sub_1', paymentId: 'pay_1' };
const LEFT = { status: 'PENDING', pendingSince: '2026-01-01T00:00:00.000Z' };

interface Streams {
  readonly payment?: object | Error;
  /** The charges that their subscriptions wait for, one state after the other, the last one for good. */
  readonly awaited?: (string | null | Error)[];
  /** The streams that are parked. */
  readonly parked?: readonly string[];
}

/** The streams of payments and subscriptions, as far as they are looked at. */
function create({ payment = LEFT, awaited = ['pay_1'], parked = [] }: Streams = {}) {
  const loaded: string[] = [];
  const load = async (aggregate: unknown, id: string) => {
    if (aggregate === paymentAggregate) {
      if (payment instanceof Error) throw payment;
      return { state: payment };
    }
    loaded.push(id);
    const paymentId = awaited.length > 1 ? awaited.shift() : awaited[0];
    if (paymentId instanceof Error) throw paymentId;
    const pendingCharge = paymentId && { paymentId };
    return { state: { status: 'active', pendingChange: null, pendingCharge }, position: at(7) };
  };
  const notifier = new ProgressNotifier();
  const pending = new PendingCharges(notifier);
  pending.onModuleInit();
  notifier.processed([], at(5));
  const charges = new TestClockCharges(
    { load } as unknown as CommandExecutor,
    ...([pending, notifier] as const),
    { entries: parked.map((streamName) => ({ streamName })) as never },
    silent,
  );
  return { charges, pending, notifier, loaded };
}

describe('a test clock', () => {
  const many: PendingCharge[] = [1, 2, 3, 4].map((n) => ({
    ...{ paymentId: `pay_${n}`, subjectId: `sub_${n}` },
  }));

  it('waits for every charge, but for those that the gateway is known to take its time over', async () => {
    const { charges, pending, loaded } = create({ awaited: [null] });
    pending.noteLeftPending('pay_1');
    expect(await charges.waitForAll(many)).toBe(at(7));
    expect(loaded).toEqual(['sub_2', 'sub_3', 'sub_4']);
    expect(await charges.waitForAll(many.slice(0, 1))).toBe(null);
  });

  it('is not held by what is parked: its subscription takes no outcome', async () => {
    const parked = ['subscription-sub_2', 'payment-pay_3'];
    const { charges, loaded } = create({ awaited: [null], parked });
    await charges.waitForAll(many);
    expect(loaded).toEqual(['sub_1', 'sub_4']);
  });

  it('rests on the charges that the gateway takes its time over, but for those of parked streams', () => {
    for (const parked of [[], ['subscription-sub_1']]) {
      const { charges, pending } = create({ parked });
      pending.noteLeftPending('pay_1');
      expect(charges.listLeftPending(many)).toEqual(parked.length === 0 ? [charge] : []);
    }
  });

  it('knows the last change of an app when the feed is as far as what was read', async () => {
    const { charges, notifier } = create();
    notifier.processed([createEvent('sub_1', 6)], at(6));
    expect(await charges.lastChangeAt('app_1', at(6))).toBe(at(6));
    expect([at(5), at(6)].map((since) => charges.hasChangedSince('app_1', since))).toEqual([
      ...[true, false],
    ]);
  });
});

describe('the settlement of a charge', () => {
  it('is not waited for once the charge is known to stay pending', async () => {
    const { charges, pending } = create();
    expect(await charges.waitForAll([charge])).toBe(null);
    expect(pending.isLeftPending('pay_1')).toBe(true);
  });

  it('is waited for at the bound, though the charge stays pending until it is given up', async () => {
    const { charges } = create({ awaited: ['pay_1', 'pay_1', null] });
    expect(await charges.waitForEnd(charge)).toBe(at(7));
  });

  it('is waited for as long as its subscription has not taken the outcome of its payment', async () => {
    const awaited = ['pay_1', 'pay_1', null];
    const { charges, pending } = create({ payment: { status: 'SUCCEEDED' }, awaited });
    expect(await charges.waitForAll([charge])).toBe(at(7));
    expect(pending.isLeftPending('pay_1')).toBe(false);
  });

  it.each([
    ['a worker that was killed has not asked for', { status: 'none' }],
    ['a worker that stands still has asked for', { status: 'PENDING', pendingSince: null }],
    ['is captured, and was not settled yet', { status: 'SUCCEEDED' }],
  ])('is not given up for a charge that %s', async (_which, payment) => {
    const { charges } = create({ payment });
    // The wait has begun long ago.
    vi.spyOn(Date, 'now').mockReturnValueOnce(0);
    const waiting = charges.waitForAll([charge]);
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });

  it.each([
    ['its subject', { payment: {}, awaited: [new Error('the store is away')] }],
    ['its payment', { payment: new Error('the store is away') }],
  ])('is waited for again after the store failed to read %s', async (_which, streams) => {
    const { charges, pending } = create(streams);
    await expect(charges.waitForAll([charge])).rejects.toThrow('the store is away');
    expect(pending.isLeftPending('pay_1')).toBe(false);
  });

  it.each([
    ['its payment is left pending', {}, true],
    ['its payment has its outcome', { payment: { status: 'SUCCEEDED' } }, false],
    ['its subject has taken it', { awaited: [null] }, false],
  ])('is known from the store: %s', async (_which, streams, isLeftPending) => {
    const { charges, pending } = create(streams);
    expect(await charges.areLeftPending([charge])).toBe(isLeftPending);
    expect(pending.isLeftPending('pay_1')).toBe(false);
  });
});
