import { errors, importJWK, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { CreatedApp, TokenIssuer } from '#domain/app';
import { hasLength, isOneLine } from '#domain/text';
import { Fault } from '#platform';

/** rules/api 11: a player's token lives 24 hours at most. */
export const MAX_ACCESS_TOKEN_SECONDS = 86_400;
/** Of the tokens that we sign ourselves. */
export const ISSUER = 'subledger';
/** Of these, and of those of an issuer for which no other audience is set. */
export const AUDIENCE = 'subledger-player';
export const OWN_ALGORITHM = 'EdDSA';
/** Of others: all of RFC 7518 and RFC 8037 by which who verifies cannot sign. */
const ISSUERS_ALGORITHMS = [
  ...['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512'],
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
];
/** Another machine's clock may be so far off. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** A key that an issuer takes back is asked for again after so long. */
const TRUSTED_MS = 60_000;
/** As ids of players are in requests. */
const MAX_PLAYER_CHARACTERS = 255;
/** A surrogate without its other half, which an escape in JSON can be. */
const HALF_A_PAIR = /\p{Cs}/u;

/** The claims of a good token. */
export interface VerifiedToken {
  readonly externalAccountId: string;
  /** How long it need not be looked at again. */
  readonly trustedMs: number;
}

/** @returns undefined for a token that is not signed by the app's own key, or is not good any more. */
export async function verifyOwnToken(
  token: string,
  app: CreatedApp,
): Promise<VerifiedToken | undefined> {
  try {
    const key = await importJWK({ ...app.tokenPublicKey }, OWN_ALGORITHM);
    const { payload } = await jwtVerify(token, key, {
      issuer: ISSUER,
      audience: AUDIENCE,
      algorithms: [OWN_ALGORITHM],
      requiredClaims: ['sub', 'exp', 'iat', 'app'],
      maxTokenAge: MAX_ACCESS_TOKEN_SECONDS,
    });
    const { sub = '', exp = 0 } = payload;
    if (sub === '' || livesTooLong(payload)) return undefined;
    return { externalAccountId: sub, trustedMs: Math.max(1, exp * 1000 - Date.now()) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/**
 * @returns undefined for a token that is not signed by the issuer, or is not good any more.
 * @throws the Fault that keeps its keys out of reach.
 */
export async function verifyIssuerToken(
  token: string,
  { issuer, audience }: TokenIssuer,
  keys: JWTVerifyGetKey,
): Promise<VerifiedToken | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ISSUERS_ALGORITHMS,
      requiredClaims: ['sub', 'exp', 'iat'],
      maxTokenAge: MAX_ACCESS_TOKEN_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    const { sub = '', exp = 0 } = payload;
    if (!isPlayerId(sub) || livesTooLong(payload)) return undefined;
    const remainingMs = exp * 1000 - Date.now();
    return { externalAccountId: sub, trustedMs: Math.max(1, Math.min(TRUSTED_MS, remainingMs)) };
  } catch (error) {
    if (error instanceof Fault) throw error;
    // A key of others may be anything: whatever a check fails with, the token is not known to be good.
    return undefined;
  }
}

function livesTooLong({ exp = 0, iat = 0 }: JWTPayload): boolean {
  return exp - iat > MAX_ACCESS_TOKEN_SECONDS;
}

/** As requests may name one (rules/api 3). */
function isPlayerId(sub: unknown): sub is string {
  return (
    typeof sub === 'string' &&
    hasLength(sub, 1, MAX_PLAYER_CHARACTERS) &&
    isOneLine(sub) &&
    !HALF_A_PAIR.test(sub)
  );
}
