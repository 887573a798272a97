import { beforeEach, describe, expect, it } from 'vitest';
import { SignJWT } from 'jose';
import {
  evolveOperatorTokens,
  type OperatorToken,
  type OperatorTokenRegister,
  chooseRegister,
} from '#domain/operator-tokens';
import { createSeal, fixedMasterKeys } from '#platform';
import {
  createOperatorTokens,
  MAX_OPERATOR_TOKEN_SECONDS,
  newOperatorToken,
  type OperatorTokens,
} from './operator-tokens.js';

const seal = createSeal(Buffer.alloc(32, 7));
const [key = Buffer.alloc(0)] = seal.deriveKeys('operator tokens');
const EMPTY: OperatorTokenRegister = { live: [], revoked: [] };
const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

/** The registers as the store has them. */
let stored: Map<string, OperatorTokenRegister>;
let isReachable: boolean;
let tokens: OperatorTokens;
let known: OperatorToken;

beforeEach(() => {
  stored = new Map();
  isReachable = true;
  tokens = createOperatorTokens(seal, read);
  known = issue({ roles: ['manager'], apps: ['app_1'], issuedBy: 'cli', name: 'ops' });
});

async function read(register: string): Promise<OperatorTokenRegister> {
  if (!isReachable) throw new Error('the store is out of reach');
  return stored.get(register) ?? EMPTY;
}

function issue(wanted: Parameters<typeof newOperatorToken>[0], life = 60): OperatorToken {
  const token = newOperatorToken(wanted, life);
  change(token.apps, { type: 'operator_token.issued.v1', data: token });
  return token;
}

function revoke({ tokenId, apps }: OperatorToken): void {
  const data = { tokenId, revokedBy: 'cli', revokedAt: new Date().toISOString() };
  change(apps, { type: 'operator_token.revoked.v1', data });
}

function change(apps: readonly string[], event: Parameters<typeof evolveOperatorTokens>[1]): void {
  const register = chooseRegister(apps);
  stored.set(register, evolveOperatorTokens(stored.get(register) ?? EMPTY, event));
}

describe("an operator's token", () => {
  it('speaks for its operator, with its roles', async () => {
    const both = issue({ roles: ['viewer', 'admin'], apps: ['*'], issuedBy: 'cli', name: 'boss' });
    expect(await tokens.verify(await tokens.sign(both))).toEqual({
      tokenId: both.tokenId,
      name: 'boss',
      roles: ['admin', 'viewer'],
      apps: ['*'],
    });
  });

  it('that is revoked, by whichever process, is refused at once', async () => {
    const token = await tokens.sign(known);
    expect(await tokens.verify(token)).toBeDefined();
    revoke(known);
    expect(await tokens.verify(token)).toBeUndefined();
  });

  it('that is issued elsewhere is good at once', async () => {
    expect(await tokens.verify(await tokens.sign(known))).toBeDefined();
    const next = issue({ roles: ['viewer'], apps: ['app_1'], issuedBy: 'cli' });
    expect(await tokens.verify(await tokens.sign(next))).toMatchObject({ name: next.tokenId });
  });

  it('is good as long as the key that signed it is among the master keys', async () => {
    const token = await tokens.sign(known);
    const [present, former] = [Buffer.alloc(32, 9), Buffer.alloc(32, 7)];
    const rotated = createOperatorTokens(createSeal(fixedMasterKeys([present, former])), read);
    expect(await rotated.verify(token)).toMatchObject({ name: 'ops' });
    expect(await rotated.verify(await rotated.sign(known))).toMatchObject({ name: 'ops' });
    expect(await tokens.verify(await rotated.sign(known))).toBeUndefined();
    const dropped = createOperatorTokens(createSeal(present), read);
    expect(await dropped.verify(token)).toBeUndefined();
  });

  it('is neither good nor bad while the store is out of reach, and good again afterwards', async () => {
    const token = await tokens.sign(known);
    isReachable = false;
    await expect(tokens.verify(token)).rejects.toThrow('out of reach');
    isReachable = true;
    expect(await tokens.verify(token)).toBeDefined();
  });
});

/** Claims that are good but for these. */
async function forged(
  claims: Readonly<Record<string, unknown>>,
  { header = {}, signedWith = key } = {},
): Promise<string> {
  const payload: Record<string, unknown> = {
    ...{ iss: 'subledger', aud: 'subledger-operator', sub: 'ops', jti: known.tokenId },
    ...{ roles: ['manager'], apps: ['app_1'], iat: seconds(0), exp: seconds(60) },
    ...claims,
  };
  const present = Object.entries(payload).filter(([, value]) => value !== undefined);
  const jwt = new SignJWT(Object.fromEntries(present));
  return jwt.setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...header }).sign(signedWith);
}

const unsigned = (alg: string) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: 'subledger', aud: 'subledger-operator', sub: 'ops', jti: known.tokenId };
  const rest = { roles: ['admin'], apps: ['*'], iat: seconds(0), exp: seconds(60) };
  return `${part({ alg, typ: 'JWT' })}.${part({ ...claims, ...rest })}.`;
};

describe('a token that looks like an operator’s', () => {
  it('is good when nothing is wrong with it', async () => {
    expect(await tokens.verify(await forged({}))).toMatchObject({
      name: 'ops',
      roles: ['manager'],
    });
  });

  const [otherKey = key] = createSeal(Buffer.alloc(32, 8)).deriveKeys('operator tokens');
  it.each([
    ['was never issued', () => forged({ jti: 'opt_00000000000000000000000000' })],
    ['is in no register of its apps', () => forged({ apps: ['app_2'] })],
    ['says that it is for all apps', () => forged({ apps: ['*'] })],
    ['says that it is for one app more', () => forged({ apps: ['app_1', 'app_2'] })],
    ['has no id', () => forged({ jti: undefined })],
    ['has expired', () => forged({ iat: seconds(-60), exp: seconds(-1) })],
    ['has no end', () => forged({ exp: undefined })],
    ['has no beginning', () => forged({ iat: undefined })],
    ['begins in the future', () => forged({ iat: seconds(3600), exp: seconds(7200) })],
    ['lives longer than 30 days', () => forged({ exp: seconds(MAX_OPERATOR_TOKEN_SECONDS + 60) })],
    [
      'is older than 30 days',
      () => forged({ iat: seconds(-MAX_OPERATOR_TOKEN_SECONDS - 60), exp: seconds(60) }),
    ],
    ['has no roles', () => forged({ roles: [] })],
    ['has a role that there is not', () => forged({ roles: ['king'] })],
    ['has a role of the form before', () => forged({ roles: undefined, role: 'admin' })],
    ['has no apps', () => forged({ apps: undefined })],
    ['is of another issuer', () => forged({ iss: 'another' })],
    ['is for players', () => forged({ aud: 'subledger-player' })],
    ['is of another type', () => forged({}, { header: { typ: 'at+jwt' } })],
    ['is of no type', () => forged({}, { header: { typ: undefined } })],
    ['is signed with another MASTER_KEY', () => forged({}, { signedWith: otherKey })],
    [
      'is signed by another algorithm',
      () => forged({}, { header: { alg: 'HS512' }, signedWith: Buffer.concat([key, key]) }),
    ],
    ['is not signed at all', async () => unsigned('none')],
    ['says that it need not be signed', async () => unsigned('HS256')],
    ['was altered', async () => (await forged({})).replace(/\.[^.]{4}/, '.AAAA')],
    ['is no token', async () => 'a.b.c'],
  ])('and %s is refused', async (_, make) => {
    expect(await tokens.verify(await make())).toBeUndefined();
  });
});
