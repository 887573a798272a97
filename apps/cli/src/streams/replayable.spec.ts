import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findReplayable } from './replayable.js';

const DOMAIN = new URL('../../../../libs/domain/src/', import.meta.url);

/** The categories of all aggregates that the domain exports. */
async function listCategories(): Promise<string[]> {
  const folders = readdirSync(DOMAIN, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const modules = folders.map(({ name }) => import(new URL(`${name}/index.ts`, DOMAIN).href));
  const exported = (await Promise.all(modules)).flatMap((module: object) => Object.entries(module));
  return exported.flatMap(([name, value]) => {
    const isAggregate = name.endsWith('Aggregate') && typeof value === 'object';
    return isAggregate ? [(value as { category: string }).category] : [];
  });
}

describe('a stream that can be replayed', () => {
  it('is one of any aggregate of the domain', async () => {
    const categories = await listCategories();
    expect(categories).toContain('subscription');
    for (const category of categories) {
      const { streamName, aggregate } = findReplayable(`${category}-x`);
      expect([streamName, aggregate.category]).toEqual([`${category}-x`, category]);
    }
  });

  it.each([
    ['sub_01', 'subscription-sub_01'],
    ['pay_01', 'payment-pay_01'],
    ['ord_01', 'order-ord_01'],
    ['cl_01', 'checkout_link-cl_01'],
    ['co_01', 'order_link-co_01'],
    ['plan_01', 'plan-plan_01'],
    ['app_01', 'app-app_01'],
  ])('is named by the id %s', (id, streamName) => {
    expect(findReplayable(id).streamName).toBe(streamName);
  });

  it.each(['sandbox_account-sub_01', 'nonsense', '', 'subscription', 'toString-1'])(
    'is not %j, and the refusal names those that are',
    (text) => {
      expect(() => findReplayable(text)).toThrow(
        /cannot be replayed.*subscription, payment, order/s,
      );
    },
  );
});
