import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentGateways } from '#gateway';
import { type CommandContext, type CommandContexts, Ledger, type OrderPlacement } from '#nest';
import { createCommandExecutor, type EventStore } from '#event-store';
import type { AppSecrets, PersonalData } from '#tenancy';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import { Creations } from '../../commands/creations.js';
import type { Players } from '../../commands/players.js';
import type { ApiConfig } from '../../config.js';
import type { CreatePaymentLinkBody } from '../order.dto.js';
import { CreatePaymentLink, CreatePaymentLinkHandler } from './create-payment-link.js';

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
  handler = new CreatePaymentLinkHandler(
    ledger,
    { requireApp: async () => ({ defaultRegionCode: '' }) } as unknown as CommandContexts,
    new Creations(ledger),
    { find: async () => '5f2a9c04d1e84b7796ab30c2d4e5f601' } as unknown as Players,
    { place } as unknown as OrderPlacement,
    { find: async () => ({}) } as unknown as PaymentGateways,
    // The player is not to be had: whatever waits for that is not made.
    { seal: async () => Promise.reject(new Error('away')) } as unknown as PersonalData,
    { commandHashKey: () => 'key' } as unknown as AppSecrets,
    { storefrontUrl: 'https://pay.example' } as ApiConfig,
  );
});

describe('an order of a backend', () => {
  it('is made behind its player', async () => {
    // A body as the HTTP edge hands it on.
    const wanted = body as CreatePaymentLinkBody;
    await expect(handler.execute(new CreatePaymentLink(wanted, context))).rejects.toThrow('away');
    expect(placed).toBe(0);
  });
});
