import { describe, expect, it } from 'vitest';
import { sampleMessage, WEBHOOK_TYPES } from '#webhooks';
import { golden, goldenNames } from './golden-files.js';

interface Body {
  readonly type: string;
  readonly environment?: string;
  readonly data?: object;
  readonly eventData?: object;
  readonly purchaseSucceeded?: object;
}

const parse = (text: string) => JSON.parse(text) as Body;

/** Test messages to merchants, byte for byte (rules/webhooks 7). */
describe('the sample of a webhook', () => {
  it.each(WEBHOOK_TYPES)('of type %s is the golden one', (type) => {
    const sample = sampleMessage(type, 'test');
    expect(sample).toBe(golden('samples', type, sample));
    expect(parse(sample).type).toBe(type);
  });

  it('is of each type that there is, and of no other', () => {
    expect(goldenNames('samples').sort()).toEqual([...WEBHOOK_TYPES].sort());
  });

  const sent = WEBHOOK_TYPES.filter((type) => goldenNames('webhooks').includes(type));

  it.each(sent)('of type %s has the fields of a real one, in their order', (type) => {
    const real = parse(golden('webhooks', type, ''));
    const sample = parse(sampleMessage(type, 'production'));
    expect(Object.keys(sample)).toEqual(Object.keys(real));
    // A first payment that was declined has bought no subscription.
    const ofSubscription = (field: string) => field !== 'subscription_id';
    const fields = ({ data, eventData, purchaseSucceeded }: Body) =>
      Object.keys(data ?? eventData ?? purchaseSucceeded ?? {}).filter(ofSubscription);
    expect(fields(sample)).toEqual(fields(real));
  });

  it('says the environment of the app where its family does', () => {
    expect(parse(sampleMessage('MUTATE_CART', 'production')).environment).toBe('production');
    expect(parse(sampleMessage('payment.failed', 'production')).environment).toBeUndefined();
  });

  it.each([
    ['PURCHASE_SUCCEEDED', 'purchaseSucceeded'],
    ['PURCHASE_FAILED', 'eventData'],
  ] as const)('of %s has its payload under %s', (type, container) => {
    const fields = Object.keys(parse(sampleMessage(type, 'test')));
    expect(fields).toEqual(['type', 'environment', container]);
  });
});
