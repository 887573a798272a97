import { describe, expect, it } from 'vitest';
import { deriveId } from '#domain/ids';
import { StreamNames } from './stream-names.js';

const AT = '2026-01-31T10:00:00.000Z';
const names = new StreamNames();
const appId = deriveId('app', AT, 'a7', 'an app');
const subscriptionId = deriveId('sub', AT, '3f', 'a subscription');

describe('the stored name of a stream', () => {
  it.each([
    [`subscription-${subscriptionId}`, `sl.subscription-3f.${subscriptionId}`],
    [`app-${appId}`, `sl.app-a7.${appId}`],
    [`operator_tokens-${appId}`, `sl.operator_tokens-a7.${appId}`],
    [`plan_code-${appId}/default/gold`, `sl.plan_code-a7.${appId}/default/gold`],
    [`idempotency_key-${appId}/bm9-_2U`, `sl.idempotency_key-a7.${appId}/bm9-_2U`],
    ['delivery_checkpoint-reactor', 'sl.delivery_checkpoint-0f.reactor'],
    ['$$delivery_checkpoint-reactor', '$$sl.delivery_checkpoint-0f.reactor'],
    ['no_dash', 'sl.no_dash'],
  ])('of %s is %s', (name, stored) => {
    expect(names.toStored(name)).toBe(stored);
    if (!name.startsWith('$$')) expect(names.fromStored(stored)).toBe(name);
  });

  it('has the namespace that was chosen', () => {
    const other = new StreamNames('studio_2');
    expect(other.toStored('app-x')).toMatch(/^studio_2\.app-[0-9a-f]{2}\.x$/);
    expect(other.fromStored('sl.app-00.x')).toBe('sl.app-00.x');
  });

  it.each(['', 'Sl', 'a.b', 'a-b', '1a', 'a'.repeat(33)])(
    'refuses the namespace %j',
    (namespace) => {
      expect(() => new StreamNames(namespace)).toThrow(RangeError);
    },
  );
});

describe('the filter of categories', () => {
  const expression = new RegExp(
    names.filter({ categories: ['subscription', 'plan', 'plan_code'] }),
  );

  it.each([`sl.subscription-3f.${subscriptionId}`, `sl.plan-a7.plan_1`, 'sl.plan_code-a7.x/y/z'])(
    'matches %s',
    (stored) => expect(expression.test(stored)).toBe(true),
  );

  it.each([
    'subscription-3f.sub_1',
    'slxsubscription-3f.sub_1',
    'other.subscription-3f.sub_1',
    'sl.subscriptions-3f.sub_1',
    'sl.payment-3f.pay_1',
    '$$sl.subscription-3f.sub_1',
    'xsl.subscription-3f.sub_1',
  ])('does not match %s', (stored) => expect(expression.test(stored)).toBe(false));

  it('takes further categories from all buckets', () => {
    const buckets = [{ first: 0x30, last: 0x3f }];
    const wanted = { categories: ['subscription', 'plan'], buckets, everywhere: ['app'] };
    const filter = new RegExp(names.filter(wanted));
    const found = (stored: string) => filter.test(stored);
    expect([found('sl.app-00.app_1'), found('sl.app-ff.app_1')]).toEqual([true, true]);
    expect([found('sl.plan-3f.plan_1'), found('sl.plan-40.plan_1')]).toEqual([true, false]);
    expect([found('sl.apple-3f.x'), found('slapp-3f.x')]).toEqual([false, false]);
  });
});
