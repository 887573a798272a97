import { beforeEach, describe, expect, it } from 'vitest';
import { deriveCheckoutPaymentId } from '#domain/ids';
import { noTaxRates } from '#domain/pricing';
import { type SubscriptionCommand, subscriptionAggregate } from '#domain/subscription';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import { Ledger } from '#nest';
import { newId } from '#platform';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { ChangeQuotes } from './change-quotes.js';
import { KnownLinks } from '../links/known-links.js';
import { LinkNews } from '../links/link-news.js';
import { makeClicks } from './spec-support/clicks.js';
import { context, makeChangeLink, NOW, onLink, WANTED } from '../links/spec-support/links.js';

/** Clicks on a change link (rules/payments 18) that meet its attempt, or come again. */
const linkId = newId('cl', NOW, '5f');
const subscriptionId = newId('sub', NOW, '5f');
const paymentId = deriveCheckoutPaymentId(linkId, { attempt: 1, attemptedAt: NOW });
const decline = { reason: 'do_not_honor', declineClass: 'soft', rawDeclineCode: '05' } as const;
let store: MemoryEventStore;
let commands: CommandExecutor;
let clickOn: ReturnType<typeof makeClicks>;
/** A step once the click has read its link, or once it has priced the change. */
let onceRead: () => Promise<void>;
let oncePriced: () => Promise<void>;

beforeEach(async () => {
  store = new MemoryEventStore();
  commands = createCommandExecutor(store as unknown as EventStore);
  onceRead = oncePriced = async () => undefined;
  const ledger = new Ledger(commands);
  const known = new KnownLinks(ledger, new LinkNews());
  const find = async (id: string) => {
    const link = await known.find(id);
    await onceRead();
    return link;
  };
  const quotes = new ChangeQuotes(ledger);
  const quote: ChangeQuotes['find'] = async (...asked) => {
    const quoted = await quotes.find(...asked);
    await oncePriced();
    return quoted;
  };
  // Memory may be behind.
  const links = { find, findSold: (id: string) => known.find(id) };
  clickOn = makeClicks(ledger, { links, quotes: { find: quote } });
  await makeChangeLink(commands, linkId, subscriptionId);
});

async function onSubscription(command: SubscriptionCommand): Promise<void> {
  await commands.execute(subscriptionAggregate, subscriptionId, command, context);
}

/** The subscription takes the first attempt; its charge is pending from here on. */
async function request(): Promise<void> {
  const shown = { amountMinor: '1000', currency: 'USD' };
  const agreed = { wanted: WANTED, shown, quotedAt: null, taxRates: noTaxRates, now: NOW };
  const attempt = { linkId, attempt: 1, paymentId, paymentMethod: 'pm_ok' };
  await onSubscription({ kind: 'RequestChange', ...attempt, ...agreed });
}

async function declineFirst(): Promise<void> {
  const outcome = { paymentId, paymentRevision: 1, outcome: decline, now: NOW };
  await onSubscription({ kind: 'SettleChange', ...outcome });
  await onLink(commands, linkId, { kind: 'DeclineCheckout', paymentId, decline, now: NOW });
}

const click = (key: string, amountCents?: string) =>
  clickOn(linkId, { key, choice: { amountCents } });

describe('the same request on a change link (rules/payments 3)', () => {
  it('is answered with its own attempt, whatever the subscription has come to', async () => {
    expect(await click('key 1')).toBe('1');
    await request();
    await declineFirst();
    await onSubscription({ kind: 'CancelSubscription', cancelAtPeriodEnd: true, now: NOW });
    expect(await click('key 1')).toBe('1 again');
    expect(await click('key 2')).toBe('SUBSCRIPTION_CANCELED');
  });
});

/** The attempts of the link, by their agreed amounts. */
const attempts = () =>
  store
    .events(`checkout_link-${linkId}`)
    .filter(({ type }) => type === 'checkout_link.change_attempted.v1')
    .map(({ data }) => (data as { shown: { amountMinor: string } }).shown.amountMinor);

describe('a click while an attempt on a change link is on its way (rules/payments 18)', () => {
  beforeEach(async () => {
    await click('first');
    await request();
  });

  it('joins it, whatever was shown', async () => {
    expect([await click('other'), await click('cheap', '1')]).toEqual(['1', '1']);
    expect(attempts()).toEqual(['1000']);
  });

  it.each(['read', 'priced'])(
    'begins one of its own at its price, where that is declined once the link is %s',
    async (moment) => {
      if (moment === 'read') onceRead = declineFirst;
      else oncePriced = declineFirst;
      expect(await click('other', '1100')).toBe('2');
      expect(attempts()).toEqual(['1000', '1100']);
    },
  );

  it('begins none that would be refused, where that is declined meanwhile', async () => {
    oncePriced = declineFirst;
    expect(await click('other', '1')).toBe('AMOUNT_CHANGED');
    expect(attempts()).toEqual(['1000']);
  });
});
