import { describe, expect, it } from 'vitest';
import type { OperatorRole } from '#domain/operator-tokens';
import { ApiError } from '#nest/errors';
import { requireScope, type WantedScope } from './operator-scope.js';

const CREATE_APP = { appId: undefined, method: 'POST', isForAdmins: false };
const LIST_APPS = { appId: undefined, method: 'GET', isForAdmins: false };
const LOOK = { appId: 'app_1', method: 'GET', isForAdmins: false };
const CHANGE = { appId: 'app_1', method: 'PATCH', isForAdmins: false };
const GIVE_RIGHTS = { appId: 'app_1', method: 'POST', isForAdmins: true };
const ELSEWHERE = { appId: 'app_2', method: 'GET', isForAdmins: false };

/** The reason of the refusal; `ok` when the operator is admitted. */
function scopeAnswer(role: OperatorRole, apps: string[], wanted: WantedScope): string {
  try {
    requireScope({ tokenId: 'opt_1', name: 'x', role, apps }, wanted);
    return 'ok';
  } catch (error) {
    if (error instanceof ApiError) return error.reason;
    throw error;
  }
}

describe('the scope of an operator', () => {
  it.each([
    ['an admin of all apps', 'admin', ['*'], ['ok', 'ok', 'ok', 'ok', 'ok', 'ok']],
    [
      'an admin of one app',
      'admin',
      ['app_1'],
      ['SCOPE_NOT_SUFFICIENT', 'ok', 'ok', 'ok', 'ok', 'APP_NOT_FOUND'],
    ],
    [
      'a manager of all apps',
      'manager',
      ['*'],
      ['ROLE_NOT_SUFFICIENT', 'ok', 'ok', 'ok', 'ROLE_NOT_SUFFICIENT', 'ok'],
    ],
    [
      'a viewer of one app',
      'viewer',
      ['app_1'],
      ['ROLE_NOT_SUFFICIENT', 'ok', 'ok', 'ROLE_NOT_SUFFICIENT', 'ROLE_NOT_SUFFICIENT'].concat(
        'APP_NOT_FOUND',
      ),
    ],
    [
      'an admin of no app',
      'admin',
      [],
      ['SCOPE_NOT_SUFFICIENT', 'ok'].concat(Array<string>(4).fill('APP_NOT_FOUND')),
    ],
  ] as const)('%s', (_, role, apps, answers) => {
    const wanted = [CREATE_APP, LIST_APPS, LOOK, CHANGE, GIVE_RIGHTS, ELSEWHERE];
    expect(wanted.map((each) => scopeAnswer(role, [...apps], each))).toEqual(answers);
  });
});
