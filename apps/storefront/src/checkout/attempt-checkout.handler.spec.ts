import { beforeEach, describe, expect, it } from 'vitest';
import { KEYS_REMEMBERED } from '#domain/checkout-link';
import { deriveCheckoutPaymentId, deriveSubscriptionId } from '#domain/ids';
import { playerAggregate } from '#domain/player';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import { Ledger } from '#nest';
import { newId } from '#platform';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { attemptAt } from '../../../../libs/domain/src/checkout-link/spec-support/links.js';
import { makeClicks } from './spec-support/clicks.js';
import { context, makeLink, NOW, onLink, PLAYER } from '../links/spec-support/links.js';

const linkId = newId('cl', NOW, '5f');
const PAYMENT = deriveCheckoutPaymentId(linkId, { attempt: 1, attemptedAt: NOW });
const SUBSCRIPTION = deriveSubscriptionId(linkId, NOW);
const captured = { paymentId: PAYMENT, paymentRevision: 1, capturedAt: NOW };
let store: MemoryEventStore;
let commands: CommandExecutor;
let click: ReturnType<typeof makeClicks>;
/** There for a gateway that takes cards on its own page. */
let cards: object | undefined;
/** Whether the gateway that the app is set to now has such a method. */
let isKnown: boolean;

beforeEach(async () => {
  store = new MemoryEventStore();
  cards = undefined;
  isKnown = true;
  commands = createCommandExecutor(store as unknown as EventStore);
  const gateway = () => ({ knows: () => isKnown, cards });
  click = makeClicks(new Ledger(commands), { gateway });
  await makeLink(commands, linkId);
  await onLink(commands, linkId, attemptAt(NOW));
});

const attempt = (key: string, rawBody = 'a') => click(linkId, { key, rawBody });

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
    await onLink(commands, linkId, { kind: 'AcceptPayment', ...captured, now: NOW });
    await onLink(commands, linkId, {
      kind: 'CompleteCheckout',
      subscriptionId: SUBSCRIPTION,
      now: NOW,
    });
    const before = events();
    for (let n = 0; n < 2 * KEYS_REMEMBERED; n += 1) expect(await attempt(`key ${n}`)).toBe('1');
    expect(await attempt('joined')).toBe('1 again');
    expect(await attempt('joined', 'b')).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(events()).toBe(before);
  });
});

describe('a payment method of a gateway with a page of its own (rules/stripe 9)', () => {
  it('is taken where it was entered there, and not where it is only named', async () => {
    const other = newId('cl', NOW, '5f');
    await makeLink(commands, other);
    const named = { paymentMethod: 'cus_1/pm_1' };
    cards = {};
    expect(await click(other, { choice: named })).toBe('INVALID_FIELDS');
    // There is no plan here: these come as far as that.
    const entered = { ...named, isEnteredAtGateway: true };
    expect(await click(other, { choice: entered })).toBe('PLAN_NOT_AVAILABLE');
    cards = undefined;
    expect(await click(other, { choice: named })).toBe('PLAN_NOT_AVAILABLE');
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
    await onLink(commands, linkId, { kind: 'AcceptPayment', ...captured, now: NOW });
    await onLink(commands, linkId, {
      kind: 'CompleteCheckout',
      subscriptionId: SUBSCRIPTION,
      now: NOW,
    });
    isKnown = false;
    expect(await attempt('another click')).toBe('1');
  });
});

describe('a checkout link of a player who was erased (rules/storage 16)', () => {
  it('begins no purchase, whatever this process knew of the player', async () => {
    const other = newId('cl', NOW, '5f');
    await makeLink(commands, other);
    await commands.load(playerAggregate, PLAYER);
    const elsewhere = createCommandExecutor(store as unknown as EventStore);
    const erase = { kind: 'ErasePlayer', now: NOW } as const;
    await elsewhere.execute(playerAggregate, PLAYER, erase, context);
    expect(await click(other)).toBe('PLAYER_ERASED');
    expect(store.events(`checkout_link-${other}`)).toHaveLength(1);
    // An attempt that was begun before is carried on.
    expect(await attempt('joins')).toBe('1');
  });
});
