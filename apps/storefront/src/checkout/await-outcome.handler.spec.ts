import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckoutLinkCommand } from '#domain/checkout-link';
import { deriveCheckoutPaymentId, deriveSubscriptionId } from '#domain/ids';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import { Ledger } from '#nest';
import { newId } from '#platform';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { KnownLinks } from '../links/known-links.js';
import { LinkNews } from '../links/link-news.js';
import { OrderLinks } from '../order/order-links.js';
import { AwaitOutcome, AwaitOutcomeHandler } from './await-outcome.handler.js';
import { attemptAt } from '../../../../libs/domain/src/checkout-link/spec-support/links.js';
import { makeLink, NOW, onLink } from '../links/spec-support/links.js';

const linkId = newId('cl', NOW, '5f');
const paymentId = deriveCheckoutPaymentId(linkId, { attempt: 1, attemptedAt: NOW });
const subscriptionId = deriveSubscriptionId(linkId, NOW);
const ENDS: readonly CheckoutLinkCommand[] = [
  { kind: 'AcceptPayment', paymentId, paymentRevision: 1, capturedAt: NOW, now: NOW },
  { kind: 'CompleteCheckout', subscriptionId, now: NOW },
];

let store: MemoryEventStore;
/** Of the worker. */
let others: CommandExecutor;
let ledger: Ledger;
let news: LinkNews;
let handler: AwaitOutcomeHandler;

beforeEach(async () => {
  store = new MemoryEventStore();
  others = createCommandExecutor(store as unknown as EventStore);
  ledger = new Ledger(createCommandExecutor(store as unknown as EventStore));
  news = new LinkNews();
  const orders = new OrderLinks(new KnownLinks(ledger, news), ledger);
  const stopping = new AbortController().signal;
  handler = new AwaitOutcomeHandler(ledger, news, orders, stopping, { open: () => '' });
  await makeLink(others, linkId);
  await onLink(others, linkId, attemptAt(NOW));
});

/** The appended events go by, as the storefront follows them. */
function goBy(from = 0): void {
  const links = new KnownLinks(ledger, news);
  const items = store.events(`checkout_link-${linkId}`).slice(from);
  for (const item of items) links.take(item);
  news.note(items);
}

describe('the outcome of an attempt', () => {
  it('comes from the events that go by, without a look at the store', async () => {
    goBy();
    store.calls.length = 0;
    const outcome = handler.execute(new AwaitOutcome({ linkId, attempt: 1 }));
    await new Promise((resolve) => setImmediate(resolve));
    for (const command of ENDS) await onLink(others, linkId, command);
    goBy(2);
    const completed = { kind: 'completed', subscriptionId, status: 'active' };
    expect(await outcome).toMatchObject(completed);
    expect(store.calls.filter((call) => call.startsWith('read'))).toEqual([]);
  });

  it('is looked for in the store where no news came for a while', async () => {
    goBy();
    for (const command of ENDS) await onLink(others, linkId, command);
    const outcome = await handler.execute(new AwaitOutcome({ linkId, attempt: 1 }));
    expect(outcome).toMatchObject({ kind: 'completed', subscriptionId });
  });

  it('of before is that of the subscription as it is now', async () => {
    for (const command of ENDS) await onLink(others, linkId, command);
    const outcome = await handler.execute(new AwaitOutcome({ linkId, attempt: 1 }));
    expect(outcome).toMatchObject({ kind: 'completed', status: 'none' });
  });
});
