import { beforeEach, describe, expect, it } from 'vitest';
import { createCommandExecutor, type CommandContext, type EventStore } from '#event-store';
import { newId } from '#platform';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { Ledger } from '../commands/ledger.js';
import { type NewOrder, OrderPlacement } from './order-placement.js';

const NOW = '2026-01-31T10:00:00.000Z';
const player = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const context: CommandContext & { readonly player: string } = {
  ...{ appId: 'app_1', environment: 'test', actor: 'app', player },
  ...{ correlationId: 'request-1', now: NOW },
};
const price = { amountMinor: '499', currency: 'USD' };
const item = { itemId: 'sword', name: 'Sword', description: '', image: '', quantity: 1, price };
const wanted: NewOrder = {
  ...{ orderId: newId('ord', NOW, '5f'), items: [item], currency: 'USD', personal: {} },
  source: 'ServicePay',
};

let store: MemoryEventStore;
let placement: OrderPlacement;

beforeEach(() => {
  store = new MemoryEventStore();
  const ledger = new Ledger(createCommandExecutor(store as unknown as EventStore));
  placement = new OrderPlacement(ledger, { now: () => NOW });
});

const calls = () => store.calls.map((call) => call.split('-')[0]);

describe('an order', () => {
  it('is made before its link', async () => {
    await placement.place(wanted, context);
    expect(calls()).toEqual(['read tax_rates', 'append order', 'append order_link']);
  });

  it('that may be there leads by the link that it names, which may be missing', async () => {
    store.onAppend = (streamName) => {
      if (streamName.startsWith('order_link-')) throw new Error('a crash');
    };
    await expect(placement.place(wanted, context)).rejects.toThrow('a crash');
    store.onAppend = () => undefined;
    const placed = await placement.place(wanted, context);
    const again = await placement.place(wanted, context);
    expect(again.path).toBe(placed.path);
    const links = store.calls.filter((call) => call.startsWith('append order_link-'));
    // One and the same, also where making it had failed.
    expect(new Set(links.map((call) => call.split(' ')[1])).size).toBe(1);
  });
});
