import { createHash } from 'node:crypto';
import { decodeJwt, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { CreatedApp, TokenIssuer } from '#domain/app';
import { fromMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { upTo } from '#platform';
import type { AppDirectory } from './app-directory.js';
import type { AppSecrets } from './app-secrets.js';
import { type FetchKeys, IssuerKeys } from './issuer-keys.js';
import {
  AUDIENCE,
  ISSUER,
  OWN_ALGORITHM,
  verifyIssuerToken,
  verifyOwnToken,
} from './verify-token.js';

/** A verified token is trusted until it expires; this many are remembered by their hash. */
const VERIFIED_TOKENS = 50_000;

/** The holder of a valid access token: one player of one app. */
export interface PlayerIdentity {
  readonly appId: string;
  readonly externalAccountId: string;
  /** The player's pseudonym, which is all that is used inside of us. */
  readonly player: string;
}

/** The result of verifying a token. */
interface Remembered {
  readonly identity: PlayerIdentity;
  /** Whose it is, where it is not the app's own: as the app was set then. */
  readonly issuer: TokenIssuer | null;
  /** Whether the request alone named its app. */
  readonly isNamedByRequest: boolean;
}

/** Players' access tokens: JWTs signed by their app's own Ed25519 key, or by its issuer (rules/api 11). */
export class AccessTokens {
  readonly #verified = new LRUCache<string, Remembered>(upTo(VERIFIED_TOKENS));
  readonly #keys: IssuerKeys;

  constructor(
    private readonly apps: Pick<AppDirectory, 'find' | 'recall'>,
    private readonly secrets: AppSecrets,
    fetchKeys: FetchKeys,
  ) {
    this.#keys = new IssuerKeys(fetchKeys);
  }

  /** Signs a token for a player with the app's own key (rules/api 11). */
  async issue(
    app: CreatedApp,
    externalAccountId: string,
    lifetimeSeconds: number,
  ): Promise<{ accessToken: string; expiresAt: Instant }> {
    const opened = this.secrets.open(app.appId, 'token key', app.sealedTokenKey);
    const key = await importJWK(privateJwk(opened), OWN_ALGORITHM);
    const expiresAtSeconds = Math.floor(Date.now() / 1000) + lifetimeSeconds;
    const accessToken = await new SignJWT({ app: app.appId })
      .setProtectedHeader({ alg: OWN_ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(externalAccountId)
      .setIssuedAt()
      .setExpirationTime(expiresAtSeconds)
      .sign(key);
    return { accessToken, expiresAt: fromMilliseconds(expiresAtSeconds * 1000) };
  }

  /** The holder of a token that was verified lately; undefined says nothing about it. */
  recall(token: string, namedAppId?: string): PlayerIdentity | undefined {
    const known = this.#verified.get(fingerprint(token));
    return known !== undefined && holds(known, namedAppId, this.apps) ? known.identity : undefined;
  }

  /**
   * The holder of the token, or undefined when it is malformed, expired, or neither of its app's key nor of the issuer
   * that the app is set to.
   *
   * @param namedAppId the app that the request itself names: that of a token whose issuer does not.
   * @throws Fault `unavailable` where the store, or the keys of the issuer, are out of reach.
   */
  async verify(token: string, namedAppId?: string): Promise<PlayerIdentity | undefined> {
    const known = this.recall(token, namedAppId);
    if (known !== undefined) return known;
    const claims = readClaims(token);
    const appId = claims && claimedApp(claims, namedAppId);
    const app = appId === undefined ? undefined : await this.apps.find(appId);
    if (claims === undefined || app === undefined) return undefined;
    const issuer = claims.iss === ISSUER ? null : findIssuer(app, claims);
    if (issuer === undefined) return undefined;
    const found = await (issuer === null
      ? verifyOwnToken(token, app)
      : verifyIssuerToken(token, issuer, this.#keys.of(app, issuer)));
    if (found === undefined) return undefined;
    const player = this.secrets.pseudonym(app, found.externalAccountId);
    const identity = { appId: app.appId, externalAccountId: found.externalAccountId, player };
    const remembered = { identity, issuer, isNamedByRequest: claims['app'] === undefined };
    this.#verified.set(fingerprint(token), remembered, { ttl: found.trustedMs });
    return identity;
  }
}

export const createAccessTokens = (
  ...[apps, secrets, keys]: ConstructorParameters<typeof AccessTokens>
) => new AccessTokens(apps, secrets, keys);

/** Whether the result for a token still holds: an issuer that is taken away ends its tokens at once. */
function holds(
  { identity, issuer, isNamedByRequest }: Remembered,
  namedAppId: string | undefined,
  apps: Pick<AppDirectory, 'recall'>,
): boolean {
  if (namedAppId === undefined ? isNamedByRequest : namedAppId !== identity.appId) return false;
  return issuer === null || apps.recall(identity.appId)?.tokenIssuer === issuer;
}

/**
 * The app of an unverified token: it says whose key to verify it with. The token's own claim goes before the app that
 * the request names, which may not be another one.
 */
function claimedApp({ app, iss }: JWTPayload, namedAppId: string | undefined): string | undefined {
  // Our own tokens always name it.
  if (app === undefined) return iss === ISSUER ? undefined : namedAppId;
  if (typeof app !== 'string') return undefined;
  return namedAppId === undefined || namedAppId === app ? app : undefined;
}

/**
 * The issuer that an app is set to, where a token says that it is of this one, and is of this app: by a claim,
 * or by an audience that is not everybody's (decision 0016).
 */
function findIssuer(
  { tokenIssuer }: CreatedApp,
  { iss, app }: JWTPayload,
): TokenIssuer | undefined {
  if (tokenIssuer === null || tokenIssuer.issuer !== iss) return undefined;
  return app === undefined && tokenIssuer.audience === AUDIENCE ? undefined : tokenIssuer;
}

function fingerprint(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

function readClaims(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

function privateJwk(text: string): JWK {
  // The text was sealed by us, with exactly this content.
  return JSON.parse(text) as JWK;
}
