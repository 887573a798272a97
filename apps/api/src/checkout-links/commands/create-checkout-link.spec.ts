import { beforeEach, describe, expect, it } from 'vitest';
import { playerAggregate } from '#domain/player';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import type { PaymentGateway } from '#gateway';
import { type CommandContext, Ledger } from '#nest';
import { Fault } from '#platform';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import { Creations } from '../../commands/creations.js';
import { PlayerLinks, type Players } from '../../commands/player-links.js';
import type { CheckoutOffers } from '../checkout-offers.js';
import { CreateCheckoutLink, CreateCheckoutLinkHandler } from './create-checkout-link.js';

const NOW = '2026-01-31T10:00:00.000Z';
const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const context: CommandContext = {
  ...{ appId: 'app_1', environment: 'test', actor: 'app' },
  ...{ correlationId: 'request-1', now: NOW },
};
const keyed = { ...context, commandId: 'key-1', commandHash: 'hash-1' };
const body = { plan: { code: 'gold' }, currency: 'USD', user: { id: 'player-1' } };
const clock = { now: () => NOW };
// Only whether there is one counts.
const GATEWAY = {} as PaymentGateway;

let store: MemoryEventStore;
let commands: CommandExecutor;
let handler: CreateCheckoutLinkHandler;

beforeEach(() => {
  store = new MemoryEventStore();
  commands = createCommandExecutor(store as unknown as EventStore);
  const ledger = new Ledger(commands);
  const players = {
    find: async () => PLAYER,
    seal: async (about: CommandContext) => {
      const player = { sealedKey: 'k', sealedAccountId: 'a' };
      const command = { kind: 'RegisterPlayer', player, now: NOW } as const;
      await commands.execute(playerAggregate, PLAYER, command, about, { isNew: true });
      return {};
    },
  };
  const price = { amountMinor: '999', currency: 'USD' };
  const offer = { planId: 'plan_1', price, trial: null, bounds: null };
  handler = new CreateCheckoutLinkHandler(
    ledger,
    new Creations(ledger),
    players as unknown as Players,
    { find: async () => offer } as unknown as CheckoutOffers,
    new PlayerLinks({ find: async () => GATEWAY }, clock, {
      storefrontUrl: 'https://pay.example',
    }),
  );
});

const create = (by: CommandContext) =>
  handler.execute(new CreateCheckoutLink({ link: body, context: by }));
const appended = () =>
  store.calls.filter((call) => call.startsWith('append')).map((call) => call.split('-')[0]);

/** The player is not to be had: whatever waits for that is not made. */
function losePlayer(): void {
  store.onAppend = (streamName) => {
    if (!streamName.startsWith('player-')) return;
    throw new Fault('unavailable', 'the store is away', { retryable: true });
  };
}

describe('a checkout link', () => {
  it('is made behind its player', async () => {
    losePlayer();
    await expect(create(context)).rejects.toMatchObject({ code: 'unavailable' });
    expect(appended()).toEqual(['append player']);
  });

  it('is made once for the same request', async () => {
    losePlayer();
    await expect(create(keyed)).rejects.toMatchObject({ code: 'unavailable' });
    expect(appended()).toEqual(['append idempotency_key', 'append player']);
    store.onAppend = () => undefined;
    const first = await create(keyed);
    expect(await create(keyed)).toEqual(first);
    expect(appended().filter((call) => call === 'append checkout_link')).toHaveLength(1);
  });
});
