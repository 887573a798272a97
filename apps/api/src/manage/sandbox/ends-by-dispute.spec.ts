import { describe, expect, it } from 'vitest';
import type { RequestedPayment } from '#domain/payment';
import type { StartedSubscription } from '#domain/subscription';
import { EndsByDispute } from './ends-by-dispute.js';

interface Scene {
  readonly onLostDispute?: 'keep' | 'end';
  readonly kind?: 'checkout' | 'order';
  readonly lateCaptures?: readonly string[];
  /** Positions of the subscription's last event, each of them seen once but the last; it has ended at 30. */
  readonly positions?: readonly string[];
}

/** The position of the answer of a dispute that is lost at 20, and how often the subscription was looked at. */
async function lose({ onLostDispute = 'end', kind = 'checkout', ...seen }: Scene) {
  const { lateCaptures = [], positions = ['10', '10', '30'] } = seen;
  let looks = 0;
  const load = async () => {
    const position = positions[Math.min(looks, positions.length - 1)] ?? null;
    looks += 1;
    const status = position === '30' || position === '05' ? 'expired' : 'active';
    return { state: { status, lateCaptures } as unknown as StartedSubscription, position };
  };
  const stopping = new AbortController();
  const ends = new EndsByDispute(
    { load } as unknown as ConstructorParameters<typeof EndsByDispute>[0],
    { find: async () => ({ onLostDispute }) } as unknown as ConstructorParameters<
      typeof EndsByDispute
    >[1],
    stopping.signal,
  );
  const payment = {
    appId: 'app_1',
    paymentId: 'pay_1',
    purpose: { kind, subscriptionId: 'sub_1' },
  };
  const position = await ends.await(payment as unknown as RequestedPayment, '20');
  return { position, looks };
}

describe('a dispute that is lost', () => {
  it('is answered by the end of the subscription that the app wants', async () => {
    expect(await lose({})).toEqual({ position: '30', looks: 3 });
  });

  it('is answered at once in an app that keeps subscriptions, and of an order', async () => {
    expect(await lose({ onLostDispute: 'keep' })).toEqual({ position: '20', looks: 0 });
    expect(await lose({ kind: 'order' })).toEqual({ position: '20', looks: 0 });
  });

  it('is answered at once where it ends nothing', async () => {
    expect(await lose({ positions: ['05'] })).toEqual({ position: '20', looks: 1 });
    expect(await lose({ positions: ['10'], lateCaptures: ['pay_1'] })).toEqual({
      position: '20',
      looks: 1,
    });
  });
});
