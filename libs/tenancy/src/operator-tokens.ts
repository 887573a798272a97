import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
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
import { newId, type Seal, upTo } from '#platform';

/** rules/operators 1: a token lives a day unless asked otherwise, and 30 days at most. */
export const DEFAULT_OPERATOR_TOKEN_SECONDS = 86_400;
export const MAX_OPERATOR_TOKEN_SECONDS = 30 * 86_400;
/** rules/operators 3: what another process revoked holds here after this long. */
const FRESHNESS_MS = 1000;
/**
 * Registers in memory, one for each app whose operators are active; a dropped one is read again.
 */
const KNOWN_REGISTERS = 10_000;
const ISSUER = 'subledger';
const AUDIENCE = 'subledger-operator';
const ALGORITHM = 'HS256';
const TYPE = 'JWT';

/** Who a good token speaks for. */
export interface OperatorIdentity {
  readonly tokenId: string;
  readonly name: string;
  /** The strongest of the token's roles. */
  readonly role: OperatorRole;
  /** The apps the operator is for; `*` is all of them. */
  readonly apps: readonly string[];
}

export interface OperatorTokens {
  /** Signs a token that was issued: the event goes first, since a token without one is not good. */
  sign(token: OperatorToken): Promise<string>;
  /**
   * Who the token speaks for, or undefined when it is malformed, expired, revoked or not ours.
   * @throws Fault when the store, which knows what was revoked, is needed and out of reach.
   */
  verify(token: string): Promise<OperatorIdentity | undefined>;
  /**
   * Called after this process changed a register: the next token is checked against the new state.
   */
  forget(register: string): void;
}

/** Reads a register of tokens from the store. */
export type LoadRegister = (register: string) => Promise<OperatorTokenRegister>;

/**
 * Operators' tokens: signed with a key derived from MASTER_KEY, and good while their register says
 * so.
 */
export function createOperatorTokens(seal: Seal, loadRegister: LoadRegister): OperatorTokens {
  const keys = () => seal.deriveKeys('operator tokens');
  const registers = new FreshRegisters(loadRegister);
  return {
    sign: ({ tokenId, name, roles, apps, issuedAt, expiresAt }) =>
      new SignJWT({ roles, apps })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(name)
        .setJti(tokenId)
        .setIssuedAt(epochSeconds(issuedAt))
        .setExpirationTime(epochSeconds(expiresAt))
        .sign(keys()[0] ?? Buffer.alloc(0)),
    verify: async (token) => {
      const identity = await identityIn(token, keys());
      if (identity === undefined) return undefined;
      return (await registers.has(identity)) ? identity : undefined;
    },
    forget: (register) => registers.forget(register),
  };
}

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

/**
 * Registers as the store has had them within the last second. A token that is not found in one is
 * looked for once more: it may have been issued elsewhere since.
 */
class FreshRegisters {
  private readonly known = new LRUCache<string, Reading>(upTo(KNOWN_REGISTERS));

  constructor(private readonly load: LoadRegister) {}

  async has({ tokenId, apps }: OperatorIdentity): Promise<boolean> {
    const isAsked = (token: OperatorToken) => token.tokenId === tokenId;
    const name = chooseRegister(apps);
    const askedAtMs = performance.now();
    const reading = this.read(name, askedAtMs - FRESHNESS_MS);
    const { live, revoked } = await reading.register;
    if (live.some(isAsked)) return true;
    if (revoked.some(isAsked) || reading.startedAtMs >= askedAtMs) return false;
    return (await this.read(name, askedAtMs).register).live.some(isAsked);
  }

  forget(name: string): void {
    this.known.delete(name);
  }

  /** A reading that began at this time or later; requests of one moment share it. */
  private read(name: string, sinceMs: number): Reading {
    const last = this.known.get(name);
    if (last !== undefined && last.startedAtMs >= sinceMs) return last;
    const reading = { startedAtMs: performance.now(), register: this.load(name) };
    this.known.set(name, reading);
    // A failed reading fails the requests that wait for it, and none after them.
    reading.register.catch(() => {
      if (this.known.peek(name) === reading) this.known.delete(name);
    });
    return reading;
  }
}

interface Reading {
  readonly startedAtMs: number;
  readonly register: Promise<OperatorTokenRegister>;
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
  const { sub, jti, iat, exp, roles, apps } = payload;
  if (typeof sub !== 'string' || typeof jti !== 'string') return undefined;
  if (Number(exp) - Number(iat) > MAX_OPERATOR_TOKEN_SECONDS) return undefined;
  if (!Array.isArray(roles) || !Array.isArray(apps)) return undefined;
  // Listed from the strongest on.
  const role = OPERATOR_ROLES.find((known) => roles.includes(known));
  if (role === undefined) return undefined;
  return { tokenId: jti, name: sub, role, apps: apps.map(String) };
}

function epochSeconds(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}
