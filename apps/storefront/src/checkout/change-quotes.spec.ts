import { beforeEach, describe, expect, it } from 'vitest';
import { checkoutLinkAggregate, type CreatedCheckoutLink } from '#domain/checkout-link';
import { subscriptionAggregate } from '#domain/subscription';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import { Ledger } from '#nest';
import { newId } from '#platform';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { ChangeQuotes } from './change-quotes.js';
import { context, makeChangeLink, NOW } from '../links/spec-support/links.js';

const linkId = newId('cl', NOW, '5f');
const subscriptionId = newId('sub', NOW, '5f');
const BEHIND = '2027-01-31T09:00:00.000Z';
const AHEAD = '2027-01-31T12:00:00.000Z';
let commands: CommandExecutor;
let quotes: ChangeQuotes;

beforeEach(async () => {
  commands = createCommandExecutor(new MemoryEventStore() as unknown as EventStore);
  quotes = new ChangeQuotes(new Ledger(commands));
  await makeChangeLink(commands, linkId, subscriptionId);
});

async function quotedAt(now: string): Promise<string | undefined> {
  const { state } = await commands.load(checkoutLinkAggregate, linkId);
  const quoted = await quotes.find(state as CreatedCheckoutLink, { now, quotedAt: null });
  return quoted?.accepted === true ? quoted.quote.effectiveAt : undefined;
}

describe('what a change comes to on a clock that is behind', () => {
  it('is priced when its link was made: its attempt is not before that', async () => {
    expect(await quotedAt(BEHIND)).toBe(NOW);
    expect(await quotedAt(AHEAD)).toBe(AHEAD);
  });

  it('is priced when its subscription has changed last: what it costs is decided there', async () => {
    for (const kind of ['CancelSubscription', 'ReactivateSubscription'] as const) {
      const command = { kind, cancelAtPeriodEnd: true, now: AHEAD } as const;
      const later = { ...context, now: AHEAD };
      await commands.execute(subscriptionAggregate, subscriptionId, command, later);
    }
    expect(await quotedAt(NOW)).toBe(AHEAD);
  });
});
