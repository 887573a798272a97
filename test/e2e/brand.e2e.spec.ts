import { beforeAll, describe, expect, it } from 'vitest';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { checkoutLink, requireOk } from '../support/scenario.js';

/** The brand of a studio on pages for players (rules/storefront 8). */
const ledger = useLedger();
const BRAND = {
  ...{ name: 'Gold & Rush', logoUrl: 'https://cdn.gold.example/logo.png' },
  ...{ accentColor: '#C2410c', supportUrl: 'https://gold.example/help?a=1&b=2' },
  ...{ supportEmail: 'help@gold.example', termsUrl: 'https://gold.example/terms' },
  privacyUrl: 'https://gold.example/privacy',
};
let path: string;
let link: { readonly id: string; readonly url: string };

beforeAll(async () => {
  path = `/manage/apps/${ledger.appId}/brand`;
  link = await checkoutLink(ledger.backend, { plan: 'gold', player: 'player-1' });
});

const set = (brand: object) => ledger.operator.send('PUT', path, { body: brand });
const storefront = (address: string) => fetch(ledger.standalone.demo.storefrontUrl + address);

describe('the brand of an app', () => {
  it('is its name until it is set, and then what was set, as a whole', async () => {
    const { name } = requireOk(await ledger.operator.get(`/manage/apps/${ledger.appId}`)).body;
    expect(requireOk(await ledger.operator.get(path)).body).toEqual({ name });
    expect(requireOk(await set(BRAND)).body).toEqual(BRAND);
    expect(requireOk(await ledger.operator.get(path)).body).toEqual(BRAND);
    const bare = { name: 'Bare' };
    expect(requireOk(await set(bare)).body).toEqual(bare);
    expect(requireOk(await ledger.operator.get(path)).body).toEqual(bare);
  });

  it('is on the page of a link, in its head and in its foot, escaped', async () => {
    requireOk(await set(BRAND));
    const answer = await fetch(link.url);
    const page = await answer.text();
    expect(page).toContain('<span class="brand-name">Gold &amp; Rush</span>');
    expect(page).toContain('<img src="https://cdn.gold.example/logo.png" alt=""');
    expect(page).toContain('href="https://gold.example/help?a=1&amp;b=2"');
    expect(page).toContain('href="mailto:help@gold.example"');
    expect(page).toContain('href="https://gold.example/terms"');
    expect(page).toContain('href="https://gold.example/privacy"');
    expect(page).toContain('href="/assets/accent/c2410c.css"');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain('img-src data: https://cdn.gold.example;');
    expect(policy).toContain("style-src 'self'");
  });

  it.each([
    ['name', ''],
    ['name', 'a'.repeat(81)],
    ['logoUrl', 'http://cdn.gold.example/logo.png'],
    ['logoUrl', 'https://user:password@cdn.gold.example/logo.png'],
    ['logoUrl', "https://cdn.gold.example/ ; script-src 'unsafe-inline'"],
    ['accentColor', 'red'],
    ['accentColor', '#c24'],
    ['accentColor', '#c2410c; } body { display: none'],
    ['supportUrl', 'javascript:alert(1)'],
    ['supportEmail', 'ann'],
    ['termsUrl', ''],
    ['privacyUrl', `https://gold.example/${'a'.repeat(2048)}`],
    ['color', '#c2410c'],
  ])('is refused with %s %s', async (field, value) => {
    const answer = await set({ ...BRAND, [field]: value });
    expect([...refusal(answer).slice(0, 2), badFields(answer)]).toEqual([400, 3, [field]]);
  });

  it('of another app cannot be seen or set', async () => {
    const other = { name: 'Other', environment: 'test' };
    const { body } = requireOk(await ledger.allApps.post('/manage/apps', other));
    const elsewhere = `/manage/apps/${String(body['appId'])}/brand`;
    expect((await ledger.operator.send('PUT', elsewhere, { body: BRAND })).status).toBe(404);
    expect((await ledger.operator.get(elsewhere)).status).toBe(404);
  });
});

describe('the style of an accent colour', () => {
  it('is made of its address alone, and may be kept', async () => {
    const { status, headers } = await storefront('/assets/accent/c2410c.css');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
  });

  it.each(['c2410C.css', 'c2410c', 'red.css', 'c2410c.css.css', '..%2Fstorefront.css'])(
    'is not at %s',
    async (file) => expect((await storefront(`/assets/accent/${file}`)).status).toBe(404),
  );
});
