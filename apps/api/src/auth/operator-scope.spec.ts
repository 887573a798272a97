import { describe, expect, it } from 'vitest';
import type { OperatorRole } from '#domain/operator-tokens';
import { ApiError } from '#nest/errors';
import { requireScope, type WantedScope } from './operator-scope.js';

const OF_APP = '/manage/apps/:appId/plans';
const OF_FINANCE = '/manage/apps/:appId/finance/close';
const looking = { method: 'GET', isForAdmins: false };
const changing = { method: 'POST', isForAdmins: false };

/** A request of each kind, in the order of the answers below. */
const REQUESTS: readonly WantedScope[] = [
  { ...changing, appId: undefined, route: '/manage/apps' },
  { ...looking, appId: undefined, route: '/manage/apps' },
  { ...looking, appId: 'app_1', route: OF_APP },
  { ...changing, appId: 'app_1', route: OF_APP },
  { ...changing, appId: 'app_1', route: '/manage/apps/:appId/operator-tokens', isForAdmins: true },
  { ...looking, appId: 'app_1', route: OF_FINANCE },
  { ...changing, appId: 'app_1', route: OF_FINANCE },
  // Not under finance, whatever the beginning of its name.
  { ...looking, appId: 'app_1', route: '/manage/apps/:appId/finances' },
  { ...looking, appId: 'app_2', route: OF_FINANCE },
];

/** The reason of the refusal; `ok` when the operator is admitted. */
function scopeAnswer(roles: readonly OperatorRole[], apps: readonly string[], wanted: WantedScope) {
  try {
    requireScope({ tokenId: 'opt_1', name: 'x', roles, apps }, wanted);
    return 'ok';
  } catch (error) {
    if (error instanceof ApiError) return error.reason;
    throw error;
  }
}

const [ROLE, SCOPE, APP] = ['ROLE_NOT_SUFFICIENT', 'SCOPE_NOT_SUFFICIENT', 'APP_NOT_FOUND'];

describe('the scope of an operator', () => {
  it.each([
    [['admin'], ['*'], ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok']],
    [['admin'], ['app_1'], [SCOPE, 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', APP]],
    [['admin'], [], [SCOPE, 'ok', APP, APP, APP, APP, APP, APP, APP]],
    [['manager'], ['*'], [ROLE, 'ok', 'ok', 'ok', ROLE, 'ok', 'ok', 'ok', 'ok']],
    [['viewer'], ['app_1'], [ROLE, 'ok', 'ok', ROLE, ROLE, 'ok', ROLE, 'ok', APP]],
    [['finance'], ['app_1'], [ROLE, ROLE, ROLE, ROLE, ROLE, 'ok', 'ok', ROLE, APP]],
    [['finance'], ['*'], [ROLE, ROLE, ROLE, ROLE, ROLE, 'ok', 'ok', ROLE, 'ok']],
    [['viewer', 'finance'], ['app_1'], [ROLE, 'ok', 'ok', ROLE, ROLE, 'ok', 'ok', 'ok', APP]],
  ] as const)('of the roles %j, for the apps %j', (roles, apps, answers) => {
    expect(REQUESTS.map((wanted) => scopeAnswer(roles, apps, wanted))).toEqual(answers);
  });
});
