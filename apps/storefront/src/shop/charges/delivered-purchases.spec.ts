import { beforeEach, describe, expect, it, vi, type Mock } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import type { Log } from '#platform';
import type { AppDirectory } from '#tenancy';
import type { EventDeliveries } from '#worker-state';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import { DeliveredPurchases } from './delivered-purchases.js';

const AT = '2027-01-31T10:00:00.000Z';
const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const ORDER = 'ord_01jz8m0000000000000000005f';
type Event = Pick<RecordedEvent, 'type' | 'data'>;

let store: MemoryEventStore;
let haveEnded: Mock<EventDeliveries['haveEnded']>;
let delivered: DeliveredPurchases;

beforeEach(() => {
  store = new MemoryEventStore();
  haveEnded = vi.fn<EventDeliveries['haveEnded']>().mockResolvedValue(true);
  const endpoints = [
    { endpointId: 'whe_all', eventTypes: ['*'], createdAt: AT },
    { endpointId: 'whe_v2', eventTypes: ['subscription.*'], createdAt: AT },
    { endpointId: 'whe_later', eventTypes: ['*'], createdAt: '2027-02-01T10:00:00.000Z' },
  ];
  // Of an endpoint no more is looked at.
  const apps = { listEndpoints: async () => endpoints } as unknown as AppDirectory;
  const log = { warn: vi.fn() } as unknown as Log;
  delivered = new DeliveredPurchases(store, apps, { haveEnded }, log);
});

function append(stream: string, ...events: Event[]): void {
  const metadata = {
    ...{ $correlationId: 'c', actor: 'app', appId: 'app_1', environment: 'test' as const },
    occurredAt: AT,
  };
  store.appendNow(
    stream,
    'any',
    events.map((event, at) => ({ ...event, id: `${stream}/${at}`, metadata })),
  );
}
const claimed = (claimId: string) => ({ type: 'shop.item_claimed.v1', data: { claimId } });

/** rules/webshop 5 */
describe('whether the studio knows', () => {
  it('of an order is asked of the endpoints that are sent its webhook, until it is delivered', async () => {
    append(`order-${ORDER}`, { type: 'order.created.v1', data: {} });
    append(`order-${ORDER}`, { type: 'order.paid.v1', data: {} });
    haveEnded.mockResolvedValueOnce(false);
    expect(await delivered.hasOrder(ORDER)).toBe(false);
    expect(await delivered.hasOrder(ORDER)).toBe(true);
    expect(await delivered.hasOrder(ORDER)).toBe(true);
    expect(haveEnded).toHaveBeenCalledTimes(2);
    const paid = expect.objectContaining({ type: 'order.paid.v1', revision: 1 });
    expect(haveEnded).toHaveBeenLastCalledWith(paid, ['whe_all']);
  });

  it('is taken for no while it cannot be found out', async () => {
    append(`order-${ORDER}`, { type: 'order.paid.v1', data: {} });
    haveEnded.mockRejectedValueOnce(new Error('Redis is away'));
    expect(await delivered.hasOrder(ORDER)).toBe(false);
    expect(await delivered.hasOrder(ORDER)).toBe(true);
  });

  it('of claims is asked of each, and once it does not any more', async () => {
    append(`shop-${PLAYER}`, claimed('a'), claimed('b'), claimed('c'));
    haveEnded.mockImplementation(async ({ position }) => !position.endsWith('2'));
    expect(await delivered.withoutClaims(PLAYER, ['a', 'b'])).toEqual(new Set(['b']));
    haveEnded.mockClear();
    expect(await delivered.withoutClaims(PLAYER, ['a', 'b'])).toEqual(new Set(['b']));
    expect(haveEnded).toHaveBeenCalledTimes(1);
    expect(await delivered.withoutClaims(PLAYER, [])).toEqual(new Set());
  });
});
