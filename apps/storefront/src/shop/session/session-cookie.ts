import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { SHOP_SESSION_HOURS } from '#domain/shop-session';

const MAX_AGE_SECONDS = SHOP_SESSION_HOURS * 3_600;

/**
 * The cookie of a session (rules/webshop 1): no script reads it, no form of another site brings it, and by https it
 * goes to this very host and no other.
 */
export class SessionCookie {
  readonly #isSecure: boolean;
  readonly #name: string;

  /** @param storefrontUrl how players reach the storefront. */
  constructor(storefrontUrl: string) {
    this.#isSecure = storefrontUrl.startsWith('https:');
    this.#name = this.#isSecure ? '__Host-shop' : 'shop';
  }

  /** Undefined where the browser has none. */
  read({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
    return parseCookie(headers.cookie ?? '')[this.#name];
  }

  /** The header of an answer that sets the cookie. */
  write(value: string, maxAge = MAX_AGE_SECONDS): Readonly<Record<'set-cookie', string>> {
    const rules = { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#isSecure } as const;
    return { 'set-cookie': stringifySetCookie({ name: this.#name, value, maxAge, ...rules }) };
  }

  /** The header of an answer that ends the session. */
  clear(): Readonly<Record<'set-cookie', string>> {
    return this.write('', 0);
  }
}
