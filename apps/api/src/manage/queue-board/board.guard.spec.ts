import { describe, expect, it } from 'vitest';
import type { ExecutionContext } from '@nestjs/common';
import type { OperatorIdentity } from '#tenancy';
import { BoardGuard, readToken } from './board.guard.js';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

/** A request with this header, as the guard is given it. */
function contextWith(authorization: string | undefined): ExecutionContext {
  const request = { headers: { authorization } };
  return { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
}

describe('the token for the board', () => {
  it.each([
    ['a bearer token', 'Bearer a.b-c', 'a.b-c'],
    ['a password', basic('operator:a.b-c'), 'a.b-c'],
    ['a password without a user, with a colon', basic(':a:b'), 'a:b'],
    ['a user without a password', basic('operator'), undefined],
    ['an empty password', basic('operator:'), undefined],
    ['another scheme', 'Digest a', undefined],
    ['nothing', undefined, undefined],
  ])('is read of %s', (_, header, expected) => {
    expect(readToken(header)).toBe(expected);
  });

  it('must be one of all apps, and not of finance alone', async () => {
    const viewer: OperatorIdentity = {
      tokenId: 'opt_1',
      name: 'x',
      roles: ['viewer'],
      apps: ['*'],
    };
    const known: Readonly<Record<string, OperatorIdentity>> = {
      all: viewer,
      some: { ...viewer, apps: ['app_1'] },
      books: { ...viewer, roles: ['finance'] },
    };
    const verify = async (token: string) => known[token];
    const guard = new BoardGuard({ verify });
    const enter = (header?: string) => guard.canActivate(contextWith(header));
    expect(await enter('Bearer all')).toBe(true);
    expect(await enter(basic('any:all'))).toBe(true);
    await expect(enter('Bearer some')).rejects.toMatchObject({ http: 403 });
    await expect(enter('Bearer books')).rejects.toMatchObject({ http: 403 });
    const refused = {
      http: 401,
      headers: { 'www-authenticate': expect.stringMatching(/^Basic /) },
    };
    for (const header of [undefined, 'Bearer other', basic('any:other')]) {
      await expect(enter(header)).rejects.toMatchObject(refused);
    }
  });
});
