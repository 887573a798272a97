import { randomUUID } from 'node:crypto';
import type { paths } from '../../docs/openapi/storefront-client.js';
import { anonymous, type Answer, type ApiClient, documented } from './api-client.js';
import { requireOk } from './scenario.js';
import { typedStorefront } from './typed-client.js';

type Changes = {
  [Path in keyof paths]: paths[Path] extends { post: { requestBody: { content: infer Content } } }
    ? Content extends { 'application/json': infer Body }
      ? Body
      : never
    : never;
};
/** The fields of a change, of which those of every form are added. */
type Form<Path extends keyof paths> = Omit<Changes[Path], 'csrf' | 'formId'> & {
  readonly formId?: string;
};

/** A player in the webshop, as a program: with a cookie, by the calls of the storefront's document. */
export interface ShopClient {
  readonly cookie: string;
  readonly csrf: string;
  shop(): Promise<Answer>;
  cart(): Promise<Answer>;
  orders(): Promise<Answer>;
  add(form: Form<'/shop/cart/items'>): Promise<Answer>;
  set(itemId: string, form: Form<'/shop/cart/items/{itemId}'>): Promise<Answer>;
  checkOut(form?: Form<'/shop/cart/checkout'>): Promise<Answer>;
  buy(itemId: string, form: Form<'/shop/items/{itemId}/buy'>): Promise<Answer>;
  claim(itemId: string, form: Form<'/shop/items/{itemId}/claim'>): Promise<Answer>;
  view(itemIds: string[]): Promise<Answer>;
  signOut(): Promise<Answer>;
  /** Whatever is sent there, documented or not. */
  get(path: string): Promise<Answer>;
  /** The same, with the session's `csrf` and a `formId` of its own, unless told. */
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
  const { headers } = await fetch(url, { method: 'POST', redirect: 'manual' });
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
  const calls = typedStorefront(origin, { ...more, cookie });
  const cart = () => readAnswer('GET', calls.GET('/shop/cart'));
  const csrf = String((await cart()).body['csrf']);
  const filled = <Fields extends object>(fields: Fields) => ({
    ...{ csrf, formId: randomUUID(), ...fields },
  });
  const of = (itemId: string) => ({ path: { itemId } });
  const raw = anonymous(origin);
  const headers = { accept: 'application/json', ...more, cookie };
  return {
    ...{ cookie, csrf, cart },
    shop: () => readAnswer('GET', calls.GET('/shop')),
    orders: () => readAnswer('GET', calls.GET('/shop/orders')),
    add: (form) => readAnswer('POST', calls.POST('/shop/cart/items', { body: filled(form) })),
    set: (itemId, form) =>
      readAnswer(
        'POST',
        calls.POST('/shop/cart/items/{itemId}', { params: of(itemId), body: filled(form) }),
      ),
    checkOut: (form = {}) =>
      readAnswer('POST', calls.POST('/shop/cart/checkout', { body: filled(form) })),
    buy: (itemId, form) =>
      readAnswer(
        'POST',
        calls.POST('/shop/items/{itemId}/buy', { params: of(itemId), body: filled(form) }),
      ),
    claim: (itemId, form) =>
      readAnswer(
        'POST',
        calls.POST('/shop/items/{itemId}/claim', { params: of(itemId), body: filled(form) }),
      ),
    view: (itemIds) => readAnswer('POST', calls.POST('/shop/views', { body: filled({ itemIds }) })),
    signOut: () => readAnswer('POST', calls.POST('/shop/sign-out', { body: filled({}) })),
    get: (path) => raw.get(path, { headers }),
    post: (path, body = {}) => raw.post(path, filled(body), headers),
  };
}

interface Answered {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** The answer to a documented call. @throws Error for a refusal that the document does not have. */
async function readAnswer(method: string, call: Promise<Answered>): Promise<Answer> {
  const { data, error, response } = await call;
  const found = data ?? error;
  // The document has its type, and expectations say which.
  const body = (found ?? {}) as Answer['body'];
  const text = found === undefined ? '' : JSON.stringify(found);
  const { status, headers, url } = response;
  return documented(method, new URL(url).pathname, { status, headers, text, body });
}
