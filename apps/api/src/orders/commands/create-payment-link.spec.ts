import { beforeEach, describe, expect, it } from 'vitest';
import { type CommandContext, type CommandContexts, Ledger, type OrderPlacement } from '#nest';
import { createCommandExecutor, type EventStore } from '#event-store';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import { Creations } from '../../commands/creations.js';
import type { PlayerLinks, Players } from '../../commands/player-links.js';
import type { CreatePaymentLinkBody } from '../order.dto.js';
import { CreatePaymentLink, CreatePaymentLinkHandler } from './create-payment-link.js';
import { OrderCreations } from './order-creations.js';

const context: CommandContext = {
  ...{ appId: 'app_1', environment: 'test', actor: 'app' },
  ...{ correlationId: 'request-1', now: '2026-01-31T10:00:00.000Z' },
};
const body = {
  items: [{ id: 'sword', name: 'Sword', quantity: 1, price: '4.99' }],
  ...{ currency: 'USD', user: { id: 'player-1' } },
};

let placed: number;
let handler: CreatePaymentLinkHandler;

beforeEach(() => {
  placed = 0;
  const place = async () => {
    placed += 1;
    return { order: { checkoutLinkId: 'ol_1.5f' }, position: '1' };
  };
  const ledger = new Ledger(createCommandExecutor(new MemoryEventStore() as unknown as EventStore));
  const app = { defaultRegionCode: '' };
  const contexts = { requireApp: async () => app } as unknown as CommandContexts;
  const players = {
    find: async () => '5f2a9c04d1e84b7796ab30c2d4e5f601',
    // The store of players is away: an order that waits for its player is not made.
    seal: async () => Promise.reject(new Error('away')),
  };
  const creations = new Creations(ledger);
  handler = new CreatePaymentLinkHandler(
    ledger,
    contexts,
    new OrderCreations(contexts, creations, { commandHashKey: () => Buffer.from('key') }),
    players as unknown as Players,
    { place } as unknown as OrderPlacement,
    { requireGateway: async () => undefined } as unknown as PlayerLinks,
  );
});

describe('an order of a backend', () => {
  it('is made behind its player', async () => {
    // A body as the HTTP edge hands it on.
    const wanted = body as CreatePaymentLinkBody;
    await expect(
      handler.execute(new CreatePaymentLink({ order: wanted, context })),
    ).rejects.toThrow('away');
    expect(placed).toBe(0);
  });
});
