import type { FastifyRequest } from 'fastify';
import { SHOP_SESSION_HOURS } from '#domain/shop-session';

const MAX_AGE_SECONDS = SHOP_SESSION_HOURS * 3_600;

/**
 * The cookie of a session (rules/webshop 1): no script reads it, no form of another site brings it, and by https it
 * goes to this very host and no other.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;

  /** @param storefrontUrl how players reach the storefront. */
  constructor(storefrontUrl: string) {
    const isSecure = storefrontUrl.startsWith('https:');
    this.#name = isSecure ? '__Host-shop' : 'shop';
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** Undefined where the browser has none. */
  read({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
    for (const pair of (headers.cookie ?? '').split(';')) {
      const [name, ...value] = pair.trim().split('=');
      if (name === this.#name) return value.join('=');
    }
    return undefined;
  }

  /** What sets it: a header of an answer. */
  write(value: string): Readonly<Record<'set-cookie', string>> {
    return {
      'set-cookie': `${this.#name}=${value}; Max-Age=${MAX_AGE_SECONDS}; ${this.#attributes}`,
    };
  }

  /** What ends it. */
  clear(): Readonly<Record<'set-cookie', string>> {
    return { 'set-cookie': `${this.#name}=; Max-Age=0; ${this.#attributes}` };
  }
}
