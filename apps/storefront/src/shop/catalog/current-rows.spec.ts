import { expect, it } from 'vitest';
import fc from 'fast-check';
import type { CatalogItem } from '#domain/catalog';
import { listCurrent } from './current-rows.js';

const HOURS = ['01', '02', '03', '04', '05', '06'].map((hour) => `2027-01-31T${hour}:00:00.000Z`);
const hour = fc.constantFrom(...HOURS);

/** Only the fields that are looked at here. */
const item = (id: string, expiresAt: string | null) => ({ id, expiresAt }) as CatalogItem;

it('shows of a catalog what is not over, at any time and however clocks go', () => {
  const ends = fc.array(fc.option(hour), { maxLength: 5 });
  const times = fc.array(hour, { minLength: 1, maxLength: 8 });
  const property = fc.property(ends, times, (expiries, nows) => {
    const items = expiries.map((expiresAt, at) => item(`item-${at}`, expiresAt));
    const rows = [{ header: 'For you', items }];
    for (const now of nows) {
      const left = items.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
      expect(listCurrent(rows, now)).toEqual([{ header: 'For you', items: left }]);
    }
  });
  fc.assert(property);
});
