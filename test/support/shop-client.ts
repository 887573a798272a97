import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, documented } from './api-client.js';
import { requireOk } from './scenario.js';

/** A player's browser in the webshop, as a program: with a cookie, and JSON in the place of pages. */
export interface ShopClient {
  readonly cookie: string;
  readonly csrf: string;
  get(path: string): Promise<Answer>;
  /** With the session's `csrf` and a `formId` of its own, unless told. */
  post(path: string, body?: Readonly<Record<string, unknown>>): Promise<Answer>;
}

/** Makes a link into the shop. @returns its address. */
export async function shopLink(
  backend: ApiClient,
  player: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const body = { user: { id: player }, ...more };
  return String(requireOk(await backend.post('/sdk/server/webshop-links', body)).body['url']);
}

/** Opens a link. @returns the cookie, as a browser sends it; empty where it was refused. */
export async function enterShop(url: string): Promise<string> {
  const { headers } = await fetch(url, { redirect: 'manual' });
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** A player with a session. */
export async function openShop(
  backend: ApiClient,
  player: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<ShopClient> {
  const url = await shopLink(backend, player, more);
  return shopClient(new URL(url).origin, await enterShop(url));
}

/**
 * The session of a cookie.
 *
 * @param more headers of the browser.
 */
export async function shopClient(
  origin: string,
  cookie: string,
  more: Readonly<Record<string, string>> = {},
): Promise<ShopClient> {
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(new URL(path, origin), {
      method,
      headers: {
        ...{ accept: 'application/json', ...more, cookie },
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(40_000),
    });
    const text = await answer.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Answer['body']);
    const { status, headers } = answer;
    return documented(method, path, { status, headers, text, body: parsed });
  };
  const get = (path: string) => send('GET', path);
  const csrf = String((await get('/shop/cart')).body['csrf']);
  return {
    ...{ cookie, csrf, get },
    post: (path, body = {}) => send('POST', path, { csrf, formId: randomUUID(), ...body }),
  };
}
