import { describe, expect, it } from 'vitest';
import { anonymous } from '../support/api-client.js';
import { useBrowser } from '../support/browser.js';
import { errorReason } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { checkoutLink, createPlan } from '../support/scenario.js';

const ledger = useLedger();
const browser = useBrowser();

const api = () => ledger.standalone.baseUrl;
const storefront = () => ledger.standalone.demo.storefrontUrl;
const makeLink = (more = {}) =>
  checkoutLink(ledger.backend, { plan: 'gold', player: 'player-1', ...more });

/** The text of a page, with plain spaces: releases of Node differ in the kind that prices have. */
async function readPage(url: string): Promise<string> {
  const text = await (await fetch(url)).text();
  return text.replaceAll(/[\u00a0\u202f]/g, ' ');
}

/** Sends the form of a page, as a browser without JavaScript does. */
async function sendForm(linkId: string, fields: Readonly<Record<string, string>>) {
  return fetch(`${storefront()}/checkout/${linkId}/pay`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
}

describe('the storefront is an origin of its own', () => {
  it('has the pages of links and a document of its own, and the API has the documentation', async () => {
    const { url } = await makeLink();
    expect(new URL(url).origin).toBe(storefront());
    expect(storefront()).not.toBe(api());
    const statuses = await Promise.all(
      [url, `${api()}/docs`, `${storefront()}/docs`, `${storefront()}/openapi.json`].map(
        async (address) => (await fetch(address)).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 404, 200]);
  });

  it.each(['GET', 'POST', 'DELETE', 'OPTIONS'])(
    'is where the API sends %s of a former address of links, with path and query',
    async (method) => {
      const path = '/checkout/cl_%41/complete?utm_source=mail&a=%20b';
      const { status, headers } = await fetch(api() + path, { method, redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([308, storefront() + path]);
    },
  );

  it('takes a payment that was sent to the former address', async () => {
    const { id } = await makeLink();
    const paid = await fetch(`${api()}/checkout/${id}/complete`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ paymentMethod: 'pm_ok' }),
    });
    expect([paid.status, await paid.json()]).toMatchObject([200, { status: 'active' }]);
    expect(new URL(paid.url).origin).toBe(storefront());
  });

  it('lets a browser keep its files for a while, and its pages not at all', async () => {
    const { url } = await makeLink();
    const page = await fetch(url);
    expect(page.headers.get('cache-control')).toBe('no-store, no-transform');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    for (const file of ['checkout.js', 'storefront.css']) {
      const { status, headers } = await fetch(`${storefront()}/assets/${file}`);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    }
    for (const path of ['/assets/', '/assets/..%2fsrc%2fmain.js', '/assets/none.js']) {
      expect([path, (await fetch(storefront() + path)).status]).toEqual([path, 404]);
    }
  });
});

describe('a page speaks', () => {
  it('the language of its link, with prices as they are written there', async () => {
    const prices = [{ currency: 'EUR', amountCents: '123499' }];
    await createPlan(ledger.operator, ledger.appId, { code: 'euro', prices });
    const more = { plan: 'euro', currency: 'EUR', language: 'de', regionCode: 'DE' };
    const { url } = await makeLink(more);
    const { page, complaints } = await browser.open(url, { locale: 'fr-FR' });
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('button', { name: /^1\.234,99\s€ bezahlen$/ }).click();
    await page.getByText('Danke! Dein Abo ist aktiv.').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a form that is sent without a script', () => {
  it('leads back to the page, and is one attempt however often it is sent', async () => {
    const { id, url } = await makeLink();
    const key = /name="attemptKey" value="([^"]+)"/.exec(await readPage(url))?.[1] ?? '';
    const fields = { paymentMethod: 'pm_decline_insufficient_funds', attemptKey: key };
    const answers = await Promise.all([sendForm(id, fields), sendForm(id, fields)]);
    for (const { status, headers } of [...answers, await sendForm(id, fields)]) {
      expect([status, headers.get('location')]).toEqual([303, `/checkout/${id}`]);
    }
    expect(await readPage(url)).toContain('data-state="declined"');
    // Three attempts in vain would ask for a pause.
    const { status } = await sendForm(id, { ...fields, paymentMethod: 'pm_ok' });
    expect(status).toBe(303);
    expect(await readPage(url)).toContain('data-state="completed"');
  });

  it('is taken where forms are taken alone, and of one size', async () => {
    const { id } = await makeLink();
    const body = new URLSearchParams({ paymentMethod: 'pm_ok' });
    const complete = `${storefront()}/checkout/${id}/complete`;
    expect((await fetch(complete, { method: 'POST', body })).status).toBe(415);
    const long = await sendForm(id, { paymentMethod: 'x'.repeat(5000), attemptKey: 'k' });
    expect(long.status).toBe(413);
    const unknown = await anonymous(storefront()).post('/checkout/cl_x/complete', {
      paymentMethod: 'pm_ok',
    });
    expect([unknown.status, errorReason(unknown)]).toEqual([404, 'CHECKOUT_LINK_NOT_FOUND']);
  });
});
