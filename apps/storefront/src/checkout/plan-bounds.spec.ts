import type { QueryBus } from '@nestjs/cqrs';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkoutLinkAggregate, type CreatedCheckoutLink, findClaim } from '#domain/checkout-link';
import { planAggregate } from '#domain/plan';
import { NO_BOUNDS, playerPlansAggregate } from '#domain/player-plans';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import type { PaymentGateways } from '#gateway';
import { CommandContexts, type CommandSource, Ledger } from '#nest';
import { newId } from '#platform';
import type { AppDirectory } from '#tenancy';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { KnownLinks } from '../links/known-links.js';
import { LinkNews } from '../links/link-news.js';
import { PaymentForms } from '../links/payment-forms.js';
import { OrderLinks } from '../order/order-links.js';
import { BeginCardEntry, BeginCardEntryHandler } from './begin-card-entry.handler.js';
import { ChangeQuotes } from './change-quotes.js';
import { AwaitOutcome, AwaitOutcomeHandler } from './await-outcome.handler.js';
import { CheckoutPageHandler, ShowCheckoutPage } from './checkout-page.handler.js';
import { answerOutcome } from './outcome-answer.js';
import { makeClicks } from './spec-support/clicks.js';
import {
  APP_ID,
  context,
  HASH_KEYS,
  makeLink,
  NOW,
  onLink,
  PLAYER,
} from '../links/spec-support/links.js';

/** The page of a plan that its player has already (rules/lifecycle 15). */
const bounds = { ...NO_BOUNDS, onePerPlayer: true };
const [first, second] = [newId('cl', NOW, '5f'), newId('cl', NOW, '5f')];
const refusal = 'player_plans/plan_held';
let store: MemoryEventStore;
/** Of the worker. */
let others: CommandExecutor;
let ledger: Ledger;
let clickOn: ReturnType<typeof makeClicks>;
let outcomes: AwaitOutcomeHandler;
let pages: CheckoutPageHandler;

beforeEach(async () => {
  store = new MemoryEventStore();
  others = createCommandExecutor(store as unknown as EventStore);
  ledger = new Ledger(createCommandExecutor(store as unknown as EventStore));
  const app = { environment: 'test', name: 'Studio' };
  const apps = { find: async () => app, now: () => NOW } as unknown as AppDirectory;
  const gateways = { find: async () => ({ knows: () => true }) } as unknown as PaymentGateways;
  const contexts = new CommandContexts(apps, HASH_KEYS);
  const [links, quotes] = [new KnownLinks(ledger, new LinkNews()), new ChangeQuotes(ledger)];
  const clock = { now: () => NOW };
  clickOn = makeClicks(ledger, { links, quotes });
  const addresses = { open: () => '' };
  const running = new AbortController().signal;
  outcomes = new AwaitOutcomeHandler(
    ledger,
    new LinkNews(),
    new OrderLinks(links, ledger),
    running,
    addresses,
  );
  const bus = {} as QueryBus;
  pages = new CheckoutPageHandler(
    ...([contexts, links, quotes, bus] as const),
    new PaymentForms(ledger, gateways, addresses, clock),
    apps,
  );
  await sellPlan();
  for (const linkId of [first, second]) await makeLink(others, linkId, { bounds });
});

async function sellPlan(): Promise<void> {
  const billingPeriod = { value: 1, unit: 'month' } as const;
  const plan = {
    ...{ planId: 'plan_1', appId: APP_ID, segmentId: 'default', code: 'gold', name: 'Gold' },
    ...{ description: '', billingPeriod, trial: null },
    ...{ prices: [{ amountMinor: '999', currency: 'USD' }], benefitsJson: '', ...bounds },
    ...{ availableFrom: null, availableUntil: null, createdAt: NOW },
  } as const;
  await others.execute(planAggregate, 'plan_1', { kind: 'CreatePlan', plan }, context);
}

const click = (linkId: string, key?: string) => clickOn(linkId, key === undefined ? {} : { key });

/** As the worker does for the attempts of a link. */
async function claim(linkId: string): Promise<void> {
  const { state } = await others.load(checkoutLinkAggregate, linkId);
  const link = state as CreatedCheckoutLink;
  const claimed = findClaim(link, link.attempts.at(-1)!)!;
  const command = { kind: 'ClaimPlan', claim: claimed, now: NOW } as const;
  await others.execute(playerPlansAggregate, PLAYER, command, context);
}

describe('a click for a plan that the player has', () => {
  it('makes no attempt, and says why', async () => {
    expect(await click(first)).toBe('1');
    await claim(first);
    expect(await click(second)).toBe('PLAN_ALREADY_HELD');
    expect(store.events(`checkout_link-${second}`)).toHaveLength(1);
  });

  it('joins the attempt that the player has it by, also where this process knows of none', async () => {
    expect(await click(first)).toBe('1');
    await claim(first);
    const behind = new KnownLinks(ledger, new LinkNews());
    for (const item of store.events(`checkout_link-${first}`).slice(0, 1)) behind.take(item);
    expect(await click(first)).toBe('1');
    const { state } = await others.load(checkoutLinkAggregate, first);
    const { subscriptionId = '' } = (state as CreatedCheckoutLink).attempts[0] ?? {};
    await onLink(others, first, { kind: 'CompleteCheckout', subscriptionId, now: NOW });
    expect(await click(first)).toBe('1');
  });

  it('that has made its attempt before is answered with that one', async () => {
    expect(await click(second, 'a click')).toBe('1');
    await onLink(others, second, { kind: 'RefuseCheckout', attempt: 1, refusal, now: NOW });
    await click(first);
    await claim(first);
    expect(await click(second, 'a click')).toBe('1 again');
    expect(await click(second, 'another click')).toBe('PLAN_ALREADY_HELD');
  });

  it('reads nothing more where nothing bounds the plan', async () => {
    const free = newId('cl', NOW, '5f');
    await makeLink(others, free);
    await click(free);
    expect(store.calls.filter((call) => call.includes('player_plans'))).toEqual([]);
    await click(second);
    expect(store.calls.filter((call) => call.includes('player_plans'))).not.toEqual([]);
  });
});

describe("the way to the gateway's own page", () => {
  it('is closed for a plan that the player has, and open otherwise', async () => {
    const gateways = {
      find: async () => ({ cards: { begin: async () => 'https://cards.example' } }),
    };
    const begin = new BeginCardEntryHandler(
      new KnownLinks(ledger, new LinkNews()),
      { leadsToOrder: () => false } as unknown as OrderLinks,
      ledger,
      gateways as unknown as PaymentGateways,
      'https://pay.example',
    );
    const form = { attemptKey: 'k' };
    expect(await begin.execute(new BeginCardEntry({ linkId: second, form }))).toBe(
      'https://cards.example',
    );
    await click(first);
    await claim(first);
    await expect(begin.execute(new BeginCardEntry({ linkId: second, form }))).rejects.toMatchObject(
      {
        reason: 'PLAN_ALREADY_HELD',
      },
    );
    expect(await begin.execute(new BeginCardEntry({ linkId: first, form }))).toBe(
      'https://cards.example',
    );
  });
});

describe('an attempt that was refused behind its click', () => {
  beforeEach(async () => {
    await click(second);
    await onLink(others, second, { kind: 'RefuseCheckout', attempt: 1, refusal, now: NOW });
  });

  it('is answered with why, and so again', async () => {
    const outcome = await outcomes.execute(new AwaitOutcome({ linkId: second, attempt: 1 }));
    expect(outcome).toEqual({ kind: 'refused', refusal });
    const answer = { status: 'FAILED_PRECONDITION', reason: 'PLAN_ALREADY_HELD' };
    expect(() => answerOutcome({ outcome, replayed: false })).toThrow(
      expect.objectContaining({ ...answer, headers: {} }),
    );
    const headers = { 'idempotency-replayed': 'true' };
    expect(() => answerOutcome({ outcome, replayed: true })).toThrow(
      expect.objectContaining({ ...answer, headers }),
    );
  });

  it('is shown on the page, which can be paid again', async () => {
    const origin = { address: '127.0.0.1', regionCode: '' };
    const page = new ShowCheckoutPage({
      linkId: second,
      acceptLanguage: 'de',
      refusal: '',
      origin,
      source: {} as CommandSource,
    });
    const { html } = await pages.execute(page);
    expect(html).toContain('Du hast dieses Abo schon');
    expect(html).toContain('data-state="open"');
  });
});
