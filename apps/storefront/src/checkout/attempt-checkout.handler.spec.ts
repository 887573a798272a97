import { beforeEach, describe, expect, it } from 'vitest';
import {
  type CheckoutLinkCommand,
  checkoutLinkAggregate,
  KEYS_REMEMBERED,
} from '#domain/checkout-link';
import { deriveCheckoutPaymentId, deriveSubscriptionId } from '#domain/ids';
import { playerAggregate } from '#domain/player';
import { noTaxRates } from '#domain/pricing';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import type { PaymentGateways } from '#gateway';
import { CommandContexts, type CommandSource, Ledger } from '#nest';
import { newId } from '#platform';
import type { AppDirectory } from '#tenancy';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { AttemptCheckout, AttemptCheckoutHandler } from './attempt-checkout.handler.js';
import { ChangeQuotes } from './change-quotes.js';
import { ChosenMethods } from '../links/chosen-methods.js';
import { KnownLinks } from '../links/known-links.js';
import { LinkNews } from '../links/link-news.js';
import { context, HASH_KEYS, makeLink, NOW } from './spec-support/links.js';

const linkId = newId('cl', NOW, '5f');
const PAYMENT = deriveCheckoutPaymentId(linkId, { attempt: 1, attemptedAt: NOW });
const SUBSCRIPTION = deriveSubscriptionId(linkId, NOW);
const captured = { paymentId: PAYMENT, paymentRevision: 1, capturedAt: NOW };
const CHOICE = { paymentMethod: 'pm_ok', amountCents: undefined, quotedAt: undefined };
let store: MemoryEventStore;
let commands: CommandExecutor;
let handler: AttemptCheckoutHandler;
/** There for a gateway that takes cards on its own page. */
let cards: object | undefined;
/** Whether the gateway that the app is set to now has such a method. */
let isKnown: boolean;

beforeEach(async () => {
  store = new MemoryEventStore();
  cards = undefined;
  isKnown = true;
  commands = createCommandExecutor(store as unknown as EventStore);
  const ledger = new Ledger(commands);
  const apps = { find: async () => ({ environment: 'test' }), now: () => NOW };
  handler = new AttemptCheckoutHandler(
    ledger,
    new CommandContexts(apps as unknown as AppDirectory, HASH_KEYS),
    new KnownLinks(ledger, new LinkNews()),
    new ChangeQuotes(ledger),
    new ChosenMethods({
      find: async () => ({ knows: () => isKnown, cards }),
    } as unknown as PaymentGateways),
    { now: () => NOW },
  );
  await makeLink(commands, linkId);
  await onLink({
    ...{ kind: 'AttemptCheckout', paymentMethod: 'pm_ok' },
    ...{ planIsAvailable: true, playerIsErased: false, now: NOW, wallNow: NOW },
    taxRates: noTaxRates,
  });
});

async function onLink(command: CheckoutLinkCommand): Promise<void> {
  await commands.execute(checkoutLinkAggregate, linkId, command, context);
}

/** How a request under a key is answered: the number of its attempt, or the reason why it makes none. */
async function attempt(key: string, rawBody = 'a'): Promise<string> {
  const headers = { 'idempotency-key': key };
  const request = { id: 'r', method: 'POST', url: '/checkout', rawBody, headers };
  const source = request as unknown as CommandSource;
  return handler.execute(new AttemptCheckout({ linkId, choice: CHOICE, source })).then(
    (started) => `${started.attempt}${started.replayed ? ' again' : ''}`,
    (error: unknown) => (error as { reason: string }).reason,
  );
}

function events(): number {
  return store.events(`checkout_link-${linkId}`).length;
}

describe('ever new Idempotency-Keys on a checkout link (rules/payments 3)', () => {
  it('leave so many notes while a payment is on its way, and each of them is kept to', async () => {
    const before = events();
    for (let n = 0; n < KEYS_REMEMBERED; n += 1) expect(await attempt(`key ${n}`)).toBe('1');
    expect(await attempt('one more')).toBe('TOO_MANY_IDEMPOTENCY_KEYS');
    expect(await attempt('key 0')).toBe('1 again');
    expect(await attempt('key 0', 'b')).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(events()).toBe(before + KEYS_REMEMBERED);
  });

  it('leave nothing on a link that is paid, and those of before are kept to', async () => {
    await attempt('joined');
    await onLink({ kind: 'AcceptPayment', ...captured, now: NOW });
    await onLink({ kind: 'CompleteCheckout', subscriptionId: SUBSCRIPTION, now: NOW });
    const before = events();
    for (let n = 0; n < 2 * KEYS_REMEMBERED; n += 1) expect(await attempt(`key ${n}`)).toBe('1');
    expect(await attempt('joined')).toBe('1 again');
    expect(await attempt('joined', 'b')).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(events()).toBe(before);
  });
});

describe('a payment method of a gateway with a page of its own (rules/stripe 9)', () => {
  const click = async (choice: object) => {
    const linkId = newId('cl', NOW, '5f');
    await makeLink(commands, linkId);
    const source = { id: 'r', method: 'POST', url: '/', rawBody: '', headers: {} };
    const asked = { ...CHOICE, paymentMethod: 'cus_1/pm_1', ...choice };
    return handler.execute(
      new AttemptCheckout({ linkId, choice: asked, source: source as unknown as CommandSource }),
    );
  };

  it('is taken where it was entered there, and not where it is only named', async () => {
    cards = {};
    await expect(click({})).rejects.toMatchObject({ reason: 'INVALID_FIELDS' });
    // There is no plan here: these come as far as that.
    const noPlan = { reason: 'PLAN_NOT_AVAILABLE' };
    await expect(click({ isEnteredAtGateway: true })).rejects.toMatchObject(noPlan);
    cards = undefined;
    await expect(click({})).rejects.toMatchObject(noPlan);
  });
});

describe('an attempt from before the app was set to another gateway (rules/stripe 8)', () => {
  it('is answered again, and no other one begins by that method', async () => {
    expect(await attempt('a click')).toBe('1');
    isKnown = false;
    expect(await attempt('a click')).toBe('1 again');
    expect(await attempt('another click')).toBe('INVALID_FIELDS');
    isKnown = true;
    cards = {};
    expect(await attempt('a click')).toBe('1 again');
    expect(await attempt('another click')).toBe('INVALID_FIELDS');
  });

  it('that has paid is the answer to every click', async () => {
    await onLink({ kind: 'AcceptPayment', ...captured, now: NOW });
    await onLink({ kind: 'CompleteCheckout', subscriptionId: SUBSCRIPTION, now: NOW });
    isKnown = false;
    expect(await attempt('another click')).toBe('1');
  });
});

describe('a checkout link of a player who was erased (rules/storage 16)', () => {
  it('begins no purchase, whatever this process knew of the player', async () => {
    const other = newId('cl', NOW, '5f');
    await makeLink(commands, other);
    const player = '5f2a9c04d1e84b7796ab30c2d4e5f601';
    await commands.load(playerAggregate, player);
    const elsewhere = createCommandExecutor(store as unknown as EventStore);
    const erase = { kind: 'ErasePlayer', now: NOW } as const;
    await elsewhere.execute(playerAggregate, player, erase, context);
    const source = { id: 'r', method: 'POST', url: '/', rawBody: '', headers: {} };
    const click = new AttemptCheckout({
      linkId: other,
      choice: CHOICE,
      source: source as unknown as CommandSource,
    });
    await expect(handler.execute(click)).rejects.toMatchObject({ reason: 'PLAYER_ERASED' });
    expect(store.events(`checkout_link-${other}`)).toHaveLength(1);
    // An attempt that was begun before is carried on.
    expect(await attempt('joins')).toBe('1');
  });
});
