import { describe, expect, it } from 'vitest';
import type { EventMetadata } from '#domain/event';
import { chainUpcasters, type Upcaster } from './upcasters.js';

const metadata = { environment: 'test' } as EventMetadata;

/** Once a total in units, then in minor units, then with a currency taken from the metadata. */
const upcasters: Upcaster[] = [
  {
    from: 'invoice.sent.v2',
    to: 'invoice.sent.v3',
    upcast: (data, { environment }) => ({ ...(data as object), currency: environment }),
  },
  {
    from: 'invoice.sent.v1',
    to: 'invoice.sent.v2',
    upcast: (data) => ({ totalMinor: (data as { total: number }).total * 100 }),
  },
];

describe('a chain of upcasters', () => {
  const chain = chainUpcasters(upcasters);

  it('brings every version to the newest, step by step', () => {
    expect(chain.newest('invoice.sent.v1')).toBe('invoice.sent.v3');
    expect(chain.upcast('invoice.sent.v1', { total: 3 }, metadata)).toEqual({
      totalMinor: 300,
      currency: 'test',
    });
    expect(chain.upcast('invoice.sent.v2', { totalMinor: 5 }, metadata)).toEqual({
      totalMinor: 5,
      currency: 'test',
    });
  });

  it('leaves alone what is newest already, and what it does not know', () => {
    const data = { totalMinor: 1, currency: 'EUR' };
    expect(chain.newest('invoice.sent.v3')).toBe('invoice.sent.v3');
    expect(chain.upcast('invoice.sent.v3', data, metadata)).toBe(data);
    expect(chain.upcast('other.thing.v1', data, metadata)).toBe(data);
  });

  it('refuses two ways from one version, and circles', () => {
    const step = (from: string, to: string): Upcaster => ({ from, to, upcast: (data) => data });
    expect(() => chainUpcasters([step('a.v1', 'a.v2'), step('a.v1', 'a.v3')])).toThrow(/two/);
    expect(() => chainUpcasters([step('a.v1', 'a.v2'), step('a.v2', 'a.v1')])).toThrow(/circle/);
  });
});
