import type { QueryBus } from '@nestjs/cqrs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deriveId } from '#domain/ids';
import { createCommandExecutor, type EventStore } from '#event-store';
import type { PaymentGateway } from '#gateway';
import { CommandContexts, Ledger, type CommandSource } from '#nest';
import { newId } from '#platform';
import type { AppDirectory } from '#tenancy';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { CheckoutPageHandler, ShowCheckoutPage } from './checkout-page.handler.js';
import { ChangeQuotes } from './change-quotes.js';
import { KnownLinks } from '../links/known-links.js';
import { LinkNews } from '../links/link-news.js';
import { PaymentForms } from '../links/payment-forms.js';
import { HASH_KEYS, makeLink, NOW } from '../links/spec-support/links.js';

const linkId = newId('cl', NOW, '5f');
const apps = { find: async () => ({ environment: 'test', name: 'Studio' }), now: async () => NOW };
let isGatewayThere: boolean;
let store: MemoryEventStore;
let handler: CheckoutPageHandler;

beforeEach(async () => {
  isGatewayThere = true;
  store = new MemoryEventStore();
  const commands = createCommandExecutor(store as unknown as EventStore);
  const ledger = new Ledger(commands);
  // Only whether there is one counts.
  const gateways = { find: async () => (isGatewayThere ? ({} as PaymentGateway) : undefined) };
  handler = new CheckoutPageHandler(
    new CommandContexts(apps as unknown as AppDirectory, HASH_KEYS),
    new KnownLinks(ledger, new LinkNews()),
    new ChangeQuotes(ledger),
    // Orders have a handler of their own, which is asked for none of these links.
    {} as QueryBus,
    new PaymentForms(ledger, gateways, { open: (_, sealed) => sealed }, { now: () => NOW }),
    apps as unknown as AppDirectory,
  );
  await makeLink(commands, linkId, { language: 'fr' });
});

async function show(id: string, acceptLanguage = '', refusal = '') {
  const origin = { address: '127.0.0.1', regionCode: '' };
  const query = new ShowCheckoutPage({
    linkId: id,
    acceptLanguage,
    refusal,
    origin,
    source: {} as CommandSource,
  });
  return handler.execute(query);
}

describe('the page at the address of a link', () => {
  it('speaks the language of the link, whatever the browser likes', async () => {
    expect((await show(linkId, 'de')).html).toContain('S’abonner à Gold');
  });

  it('speaks the language of the browser where there is no link', async () => {
    const { status, html } = await show('cl_nothing', 'de');
    expect(status).toBe(404);
    expect(html).toContain('Dieses Angebot gibt es nicht');
  });

  it('says that nothing can be paid where there is no gateway, and reads nothing for a form', async () => {
    const readsRates = () => store.calls.some((call) => call.includes('tax_rates'));
    isGatewayThere = false;
    expect((await show(linkId)).html).toContain('Rien ne peut encore être payé ici');
    expect(readsRates()).toBe(false);
    isGatewayThere = true;
    await show(linkId);
    expect(readsRates()).toBe(true);
  });

  it('has another key in the form each time it is shown', async () => {
    const key = (html: string) => /name="attemptKey" value="([^"]+)"/.exec(html)?.[1];
    const [first, second] = [await show(linkId), await show(linkId)];
    expect(key(first.html)).toMatch(/^[0-9a-f-]{36}$/);
    expect(key(second.html)).not.toBe(key(first.html));
  });

  it.each([
    ['PLAN_NOT_AVAILABLE', 'plus en vente'],
    ['INVALID_ARGUMENT', 'Le paiement n’a pas pu commencer'],
  ])('tells of a click that was refused with %s', async (reason, text) => {
    expect((await show(linkId, '', reason)).html).toContain(text);
  });

  it('says nothing more of a refusal that the state of the link shows', async () => {
    const { html } = await show(linkId, '', 'PAYMENT_DECLINED');
    expect(html).toMatch(/<p id="outcome"[^>]*><\/p>/);
  });
});

describe('pages of links that were made up', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('say that there is no such link, or in a flood that the page can be asked for again', async () => {
    const ids = Array.from({ length: 700 }, (_, n) => deriveId('cl', NOW, '5f', `made up ${n}`));
    const showing = Promise.all(ids.map(async (id) => show(id)));
    await vi.advanceTimersByTimeAsync(6_000);
    const pages = await showing;
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404, 503]));
    expect((await show('%00')).status).toBe(404);
  });
});
