import { errors, jwtVerify, SignJWT } from 'jose';
import {
  ALL_APPS,
  OPERATOR_ROLES,
  type OperatorRole,
  type OperatorToken,
  type OperatorTokenRegister,
  chooseRegister,
} from '#domain/operator-tokens';
import { fromMilliseconds } from '#domain/calendar';
import { readBucket } from '#domain/ids';
import { newId, type Seal, SharedReads } from '#platform';

/** rules/operators 1: a token lives a day unless asked otherwise, and 30 days at most. */
export const DEFAULT_OPERATOR_TOKEN_SECONDS = 86_400;
export const MAX_OPERATOR_TOKEN_SECONDS = 30 * 86_400;
const ISSUER = 'subledger';
const AUDIENCE = 'subledger-operator';
const ALGORITHM = 'HS256';
const TYPE = 'JWT';

/** The holder of a good token. */
export interface OperatorIdentity {
  readonly tokenId: string;
  readonly name: string;
  /** The token's roles, of those that this release knows; at least one. */
  readonly roles: readonly OperatorRole[];
  /** The apps the operator is for; `*` is all of them. */
  readonly apps: readonly string[];
}

/** Reads a register of tokens from the store. */
export type LoadRegister = (register: string) => Promise<OperatorTokenRegister>;

/** Operators' tokens: signed with a key derived from MASTER_KEY, and good while their register says so. */
export class OperatorTokens {
  readonly #keys: () => readonly Buffer[];
  readonly #registers: SharedReads<OperatorTokenRegister>;

  constructor(seal: Seal, loadRegister: LoadRegister) {
    this.#keys = () => seal.deriveKeys('operator tokens');
    this.#registers = new SharedReads(loadRegister);
  }

  /** Signs a token that was issued: the event goes first, since a token without one is not good. */
  sign({ tokenId, name, roles, apps, issuedAt, expiresAt }: OperatorToken): Promise<string> {
    return new SignJWT({ roles, apps })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(name)
      .setJti(tokenId)
      .setIssuedAt(epochSeconds(issuedAt))
      .setExpirationTime(epochSeconds(expiresAt))
      .sign(this.#keys()[0] ?? Buffer.alloc(0));
  }

  /**
   * The holder of the token, or undefined when it is malformed, expired, revoked or not ours.
   * @throws Fault when the store, which knows the revocations, is needed and out of reach.
   */
  async verify(token: string): Promise<OperatorIdentity | undefined> {
    const identity = await identityIn(token, this.#keys());
    if (identity === undefined) return undefined;
    const { live } = await this.#registers.load(chooseRegister(identity.apps));
    return live.some(({ tokenId }) => tokenId === identity.tokenId) ? identity : undefined;
  }
}

export const createOperatorTokens = (seal: Seal, loadRegister: LoadRegister) =>
  new OperatorTokens(seal, loadRegister);

/** The event of a new token. Its life is counted in whole seconds, since JWTs have no fractions. */
export function newOperatorToken(
  wanted: Pick<OperatorToken, 'roles' | 'apps' | 'issuedBy'> & { readonly name?: string },
  lifetimeSeconds: number,
): OperatorToken {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const issuedAt = fromMilliseconds(nowSeconds * 1000);
  const tokenId = newId('opt', issuedAt, readBucket(chooseRegister(wanted.apps)));
  const expiresAt = fromMilliseconds((nowSeconds + lifetimeSeconds) * 1000);
  return { tokenId, name: tokenId, ...wanted, issuedAt, expiresAt };
}

/** Whether the operator's scope covers an app. */
export function isForApp(operator: OperatorIdentity, appId: string): boolean {
  return isForAllApps(operator) || operator.apps.includes(appId);
}

/** Whether the operator's scope covers every app, also those that are not there yet. */
export function isForAllApps({ apps }: OperatorIdentity): boolean {
  return apps.includes(ALL_APPS);
}

/** Tokens of before a rotation of MASTER_KEY are good as long as the key before is kept. */
async function identityIn(
  token: string,
  keys: readonly Buffer[],
): Promise<OperatorIdentity | undefined> {
  for (const key of keys) {
    const identity = await identityUnder(token, key);
    if (identity !== undefined) return identity;
  }
  return undefined;
}

async function identityUnder(token: string, key: Buffer): Promise<OperatorIdentity | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      issuer: ISSUER,
      audience: AUDIENCE,
      algorithms: [ALGORITHM],
      typ: TYPE,
      requiredClaims: ['sub', 'jti', 'iat', 'exp', 'roles', 'apps'],
      maxTokenAge: MAX_OPERATOR_TOKEN_SECONDS,
    });
    return readIdentity(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function readIdentity(payload: Record<string, unknown>): OperatorIdentity | undefined {
  const { sub, jti, iat, exp, roles: named, apps } = payload;
  if (typeof sub !== 'string' || typeof jti !== 'string') return undefined;
  if (Number(exp) - Number(iat) > MAX_OPERATOR_TOKEN_SECONDS) return undefined;
  if (!Array.isArray(named) || !Array.isArray(apps)) return undefined;
  const roles = OPERATOR_ROLES.filter((known) => named.includes(known));
  if (roles.length === 0) return undefined;
  return { tokenId: jti, name: sub, roles, apps: apps.map(String) };
}

function epochSeconds(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}
