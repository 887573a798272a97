import { beforeEach, describe, expect, it } from 'vitest';
import type { QueryBus } from '@nestjs/cqrs';
import { checkoutLinkAggregate, lastAttempt } from '#domain/checkout-link';
import { paymentAggregate } from '#domain/payment';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import { createSandboxChallenges, createSandboxGateway, type PaymentGateways } from '#gateway';
import { CommandContexts, type CommandSource, Ledger } from '#nest';
import { Fault, newId } from '#platform';
import type { AppDirectory } from '#tenancy';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { periodCharge } from '../../../../libs/domain/src/payment/spec-support/period-charge.js';
import { KnownLinks } from '../links/known-links.js';
import { LinkNews } from '../links/link-news.js';
import { context, HASH_KEYS, makeLink, NOW, onLink } from '../links/spec-support/links.js';
import { attemptAt } from '../../../../libs/domain/src/checkout-link/spec-support/links.js';
import { OrderLinks } from '../order/order-links.js';
import { AskedChallenges } from './asked-challenges.js';
import { BankPageHandler, ShowBankPage } from './bank-page.handler.js';
import { DecideChallenge, DecideChallengeHandler } from './decide-challenge.handler.js';

const apps = { find: async () => ({ environment: 'test', name: 'Studio' }), now: async () => NOW };
const clock = { now: () => NOW };
const source = { id: 'r', headers: {} } as unknown as CommandSource;
const METHOD = 'pm_authentication_required';

let commands: CommandExecutor;
let linkId: string;
let paymentId: string;
let isServed: boolean;
let isTold: boolean;
let handler: DecideChallengeHandler;
let pages: BankPageHandler;

beforeEach(async () => {
  [isServed, isTold] = [true, true];
  commands = createCommandExecutor(new MemoryEventStore() as unknown as EventStore);
  linkId = newId('cl', NOW, '5f');
  await makeLink(commands, linkId);
  paymentId = await attempt(linkId);
  const gateways: Partial<PaymentGateways> = {
    serves: async (_appId, kind) => isServed && kind === 'sandbox',
  };
  const contexts = new CommandContexts(apps as unknown as AppDirectory, HASH_KEYS);
  const bank = createSandboxChallenges({ commands, clock });
  const links = new KnownLinks(new Ledger(commands), new LinkNews());
  const orders = new OrderLinks(links, new Ledger(commands));
  const served = gateways as PaymentGateways;
  const challenges = new AskedChallenges(links, orders, contexts, served, bank);
  const ledger = new Ledger(commands);
  const execute = ledger.execute.bind(ledger);
  ledger.execute = (...args) => {
    if (!isTold) throw new Fault('unavailable', 'lost', { retryable: true });
    return execute(...args);
  };
  const waiting = { execute: async () => ({ kind: 'pending' }) } as unknown as QueryBus;
  handler = new DecideChallengeHandler(challenges, ledger, contexts, waiting, bank);
  pages = new BankPageHandler(challenges);
});

/** A click that the bank wants to have confirmed. */
async function attempt(link: string): Promise<string> {
  await onLink(commands, link, attemptAt(NOW, { paymentMethod: METHOD }));
  const { state } = await commands.load(checkoutLinkAggregate, link);
  const last = state.status === 'none' ? undefined : lastAttempt(state);
  const { paymentId: id, subscriptionId = '' } = last ?? {};
  const amount = { amountMinor: '999', currency: 'USD' };
  const charge = {
    ...periodCharge({ subscriptionId, amount, start: NOW, number: 1 }),
    ...{ paymentId: String(id), appId: context.appId, player: 'p', checkoutLinkId: link },
    ...{ paymentMethod: METHOD, personal: {} },
  };
  const request = { kind: 'RequestPayment', charge, now: NOW } as const;
  await commands.execute(paymentAggregate, charge.paymentId, request, context);
  await createSandboxGateway({ commands, clock }).charge({
    ...{ key: charge.paymentId, reference: subscriptionId, paymentMethod: METHOD, amount },
    ...{ offSession: false, returnUrl: `https://pay.example/checkout/${link}` },
  });
  return charge.paymentId;
}

const decide = (accepts: boolean, link = linkId, payment = paymentId) =>
  handler.execute(
    new DecideChallenge({ linkId: link, paymentId: payment, isAccepted: accepts, source }),
  );
const status = async () => (await commands.load(paymentAggregate, paymentId)).state.status;
const show = async (link = linkId, payment = paymentId) =>
  pages.execute(new ShowBankPage({ linkId: link, paymentId: payment, acceptLanguage: '' }));

describe('a player at the bank of the sandbox', () => {
  it.each([
    [true, 'SUCCEEDED', 'You have confirmed'],
    [false, 'FAILED', 'You have declined'],
  ])('decides once, and the ledger knows: accepted %s', async (accepts, after, text) => {
    expect((await show()).html).toContain('Studio wants to charge you $9.99');
    await decide(accepts);
    expect(await status()).toBe(after);
    await decide(!accepts);
    expect(await status()).toBe(after);
    expect((await show()).html).toContain(text);
    expect((await show()).html).not.toContain('<form');
  });

  it('decides again where the ledger did not learn of it, and it is what it was', async () => {
    isTold = false;
    await expect(decide(true)).rejects.toThrow('lost');
    expect(await status()).toBe('PENDING');
    isTold = true;
    await decide(false);
    expect(await status()).toBe('SUCCEEDED');
  });

  it('finds nothing by the link or the payment of another one, nor by what was made up', async () => {
    const other = newId('cl', '2027-01-31T10:00:01.000Z', '5f');
    await makeLink(commands, other);
    const otherPayment = await attempt(other);
    const madeUp = newId('cl', '2027-01-31T10:00:02.000Z', '5f');
    for (const [link, payment] of [
      [other, paymentId],
      [linkId, otherPayment],
      [madeUp, paymentId],
      [linkId, 'pay_x'],
      ['cl_x', paymentId],
    ] as const) {
      expect((await show(link, payment)).status).toBe(404);
      await expect(decide(true, link, payment)).rejects.toMatchObject({ status: 'NOT_FOUND' });
    }
    expect(await status()).toBe('PENDING');
  });

  it('finds nothing in an app that the sandbox does not serve', async () => {
    isServed = false;
    expect((await show()).status).toBe(404);
    await expect(decide(true)).rejects.toMatchObject({ status: 'NOT_FOUND' });
  });
});
