import { createHash } from 'node:crypto';
import { decodeJwt, errors, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { CreatedApp } from '#domain/app';
import { fromMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { upTo } from '#platform';
import type { AppSecrets } from './app-secrets.js';

/** rules/api 11: a player's token lives 24 hours at most. */
export const MAX_ACCESS_TOKEN_SECONDS = 86_400;
const ISSUER = 'subledger';
const AUDIENCE = 'subledger-player';
const ALGORITHM = 'EdDSA';
/** A verified token is trusted until it expires; this many are remembered by their hash. */
const VERIFIED_TOKENS = 50_000;

/** Who a valid access token speaks for: one player of one app. */
export interface PlayerIdentity {
  readonly appId: string;
  readonly externalAccountId: string;
  /** The player's pseudonym, which is all that is used inside of us. */
  readonly player: string;
}

export interface AccessTokens {
  /** Signs a token for a player with the app's own key (rules/api 11). */
  issue(
    app: CreatedApp,
    externalAccountId: string,
    lifetimeSeconds: number,
  ): Promise<{ accessToken: string; expiresAt: Instant }>;
  /** Who a token speaks for that was verified lately; undefined says nothing about it. */
  recall(token: string): PlayerIdentity | undefined;
  /** Who the token speaks for, or undefined when it is malformed, expired, or not of its app's key. */
  verify(token: string): Promise<PlayerIdentity | undefined>;
}

/** Players' access tokens: JWTs signed by their app's own Ed25519 key (rules/api 11). */
export function createAccessTokens(
  findApp: (appId: string) => Promise<CreatedApp | undefined>,
  secrets: AppSecrets,
): AccessTokens {
  const verified = new LRUCache<string, PlayerIdentity>(upTo(VERIFIED_TOKENS));
  return {
    issue: async (app, externalAccountId, lifetimeSeconds) => {
      const opened = secrets.open(app.appId, 'token key', app.sealedTokenKey);
      const key = await importJWK(privateJwk(opened), ALGORITHM);
      const expiresAtSeconds = Math.floor(Date.now() / 1000) + lifetimeSeconds;
      const accessToken = await new SignJWT({ app: app.appId })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(externalAccountId)
        .setIssuedAt()
        .setExpirationTime(expiresAtSeconds)
        .sign(key);
      return { accessToken, expiresAt: fromMilliseconds(expiresAtSeconds * 1000) };
    },
    recall: (token) => verified.get(fingerprint(token)),
    verify: async (token) => {
      const known = verified.get(fingerprint(token));
      if (known !== undefined) return known;
      const found = await verifyToken(token, findApp, secrets);
      if (found === undefined) return undefined;
      verified.set(fingerprint(token), found.identity, { ttl: Math.max(1, found.remainingMs) });
      return found.identity;
    },
  };
}

function fingerprint(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

async function verifyToken(
  token: string,
  findApp: (appId: string) => Promise<CreatedApp | undefined>,
  secrets: AppSecrets,
): Promise<{ identity: PlayerIdentity; remainingMs: number } | undefined> {
  const appId = claimedApp(token);
  const app = appId === undefined ? undefined : await findApp(appId);
  if (app === undefined) return undefined;
  try {
    const key = await importJWK({ ...app.tokenPublicKey }, ALGORITHM);
    const { payload } = await jwtVerify(token, key, {
      issuer: ISSUER,
      audience: AUDIENCE,
      algorithms: [ALGORITHM],
      requiredClaims: ['sub', 'exp', 'iat', 'app'],
      maxTokenAge: MAX_ACCESS_TOKEN_SECONDS,
    });
    const { sub = '', exp = 0, iat = 0 } = payload;
    if (sub === '' || exp - iat > MAX_ACCESS_TOKEN_SECONDS) return undefined;
    return {
      identity: {
        appId: app.appId,
        externalAccountId: sub,
        player: secrets.pseudonym(app, sub),
      },
      remainingMs: exp * 1000 - Date.now(),
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The app that an unverified token claims to be of: it says whose key to verify it with. */
function claimedApp(token: string): string | undefined {
  try {
    const { app } = decodeJwt(token);
    return typeof app === 'string' ? app : undefined;
  } catch {
    return undefined;
  }
}

function privateJwk(text: string): JWK {
  // The text was sealed by us, with exactly this content.
  return JSON.parse(text) as JWK;
}
