import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId, isPseudonym } from '#domain/ids';
import { assertDefect, decryptText, encryptText, type Seal } from '#platform';

/** The purposes of the keys of these texts; a text of one is none of another. */
const LINKS = 'webshop links';
const SESSIONS = 'webshop sessions';
const FORMS = 'webshop forms';

/** Links and sessions are remembered for longer than they last, and no longer than that (decision 0034). */
export const SHOP_SESSION_LIFETIME = { maxAgeSeconds: 7 * 86_400 } as const;

/** A session of a player in the webshop. */
export interface ShopSessionReference {
  /** The pseudonym. */
  readonly player: string;
  readonly sessionId: string;
}

/**
 * The tokens of the webshop's sessions in browsers (decision 0034): texts under keys that are derived from the master
 * key, which say nothing to those who have them, and which only holders of the master key can make.
 */
export class ShopTokens {
  constructor(private readonly seal: Pick<Seal, 'deriveKeys'>) {}

  /** The token in the address of a link into the shop: other letters each time, and the same link. */
  createLinkToken = (session: ShopSessionReference) => this.#write(LINKS, session);
  /** Undefined for a text that we did not make, or not as a link's. */
  readLinkToken = (token: string) => this.#read(LINKS, token);
  /** The cookie of a session: whether the session still counts is another question. */
  createCookie = (session: ShopSessionReference) => this.#write(SESSIONS, session);
  /** Undefined for a text that we did not make, or not as a cookie. */
  readCookie = (cookie: string) => this.#read(SESSIONS, cookie);
  /** The token in the forms of a session, which other sites cannot know. */
  createCsrfToken = (session: ShopSessionReference) =>
    sign(requireKey(this.seal.deriveKeys(FORMS)[0]), session);
  isCsrfToken = (session: ShopSessionReference, token: string) =>
    this.seal.deriveKeys(FORMS).some((key) => isEqual(sign(key, session), token));

  #write(purpose: string, { player, sessionId }: ShopSessionReference): string {
    const [key] = this.seal.deriveKeys(purpose);
    return encryptText(requireKey(key), `${player}/${sessionId}`, [purpose]);
  }

  /** Decrypting authenticates as well, and takes the same time whatever is wrong. */
  #read(purpose: string, token: string): ShopSessionReference | undefined {
    if (token.length > MAX_TOKEN_CHARACTERS) return undefined;
    for (const key of this.seal.deriveKeys(purpose)) {
      try {
        return parse(decryptText(key, token, [purpose]));
      } catch {
        // It is under another key, or is none of ours.
      }
    }
    return undefined;
  }
}

export const createShopTokens = (seal: Pick<Seal, 'deriveKeys'>) => new ShopTokens(seal);

/** Three times the length of a token of ours: more is not worth decrypting. */
const MAX_TOKEN_CHARACTERS = 400;

function parse(text: string): ShopSessionReference | undefined {
  const [player = '', sessionId = ''] = text.split('/');
  return isPseudonym(player) && isId('ws', sessionId) ? { player, sessionId } : undefined;
}

function sign(key: Buffer, { player, sessionId }: ShopSessionReference): string {
  return createHmac('sha256', key).update(`${player}/${sessionId}`).digest('base64url');
}

function requireKey(key: Buffer | undefined): Buffer {
  assertDefect(key !== undefined, 'there is a master key');
  return key;
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
