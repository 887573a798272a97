import { errors, jwtVerify, SignJWT } from 'jose';
import type { Seal } from '#platform';

/**
 * What an operator may do (decisions 2, "scoped by role and app"): an admin everything, a manager all
 * but creating apps and seeing new secrets of others' apps, a viewer only look.
 */
export const OPERATOR_ROLES = ['admin', 'manager', 'viewer'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export interface OperatorIdentity {
  readonly name: string;
  readonly role: OperatorRole;
  /** The apps the operator is for; `*` is all of them. */
  readonly apps: readonly string[];
}

export interface OperatorTokens {
  issue(operator: OperatorIdentity, lifetimeSeconds: number): Promise<string>;
  /** Who the token speaks for, or undefined when it is malformed, expired or not ours. */
  verify(token: string): Promise<OperatorIdentity | undefined>;
}

const ISSUER = 'subledger';
const AUDIENCE = 'subledger-operator';
const ALGORITHM = 'HS256';

/** Operators' tokens are signed with a key derived from MASTER_KEY: who holds it may mint them. */
export function createOperatorTokens(seal: Seal): OperatorTokens {
  const key = seal.deriveKey('operator tokens');
  return {
    issue: ({ name, role, apps }, lifetimeSeconds) =>
      new SignJWT({ role, apps })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(name)
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + lifetimeSeconds)
        .sign(key),
    verify: async (token) => {
      try {
        const { payload } = await jwtVerify(token, key, {
          issuer: ISSUER,
          audience: AUDIENCE,
          algorithms: [ALGORITHM],
          requiredClaims: ['sub', 'exp', 'role', 'apps'],
        });
        return identityOf(payload);
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

/** Whether the operator's scope covers an app. */
export function isForApp(operator: OperatorIdentity, appId: string): boolean {
  return operator.apps.includes('*') || operator.apps.includes(appId);
}

function identityOf(payload: Record<string, unknown>): OperatorIdentity | undefined {
  const { sub, apps } = payload;
  const role = OPERATOR_ROLES.find((known) => known === payload['role']);
  if (typeof sub !== 'string' || role === undefined || !Array.isArray(apps)) return undefined;
  return { name: sub, role, apps: apps.map(String) };
}
