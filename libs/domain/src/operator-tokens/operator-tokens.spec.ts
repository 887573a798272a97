import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import {
  KEPT_REVOKED_TOKENS,
  MAX_LIVE_TOKENS,
  type OperatorToken,
  type OperatorTokenEvent,
  operatorTokensAggregate,
  chooseRegister,
} from './index.js';

const T0 = '2027-01-31T10:00:00.000Z';
const T1 = '2027-01-31T11:00:00.000Z';
const T2 = '2027-01-31T12:00:00.000Z';
const { decider } = operatorTokensAggregate;

const token = (tokenId: string, changes: Partial<OperatorToken> = {}): OperatorToken => ({
  tokenId,
  name: tokenId,
  roles: ['viewer'],
  apps: ['app_1'],
  issuedBy: 'operator:demo',
  issuedAt: T0,
  expiresAt: T2,
  ...changes,
});
const issued = (tokenId: string, changes: Partial<OperatorToken> = {}): OperatorTokenEvent => ({
  type: 'operator_token.issued.v1',
  data: token(tokenId, changes),
});
const revoked = (tokenId: string, revokedAt = T1): OperatorTokenEvent => ({
  type: 'operator_token.revoked.v1',
  data: { tokenId, revokedBy: 'operator:demo', revokedAt },
});
const revoke = (tokenId: string, wallNow = T1) =>
  ({ kind: 'RevokeOperatorToken', tokenId, revokedBy: 'operator:demo', wallNow }) as const;
const listIds = (tokens: readonly OperatorToken[]) => tokens.map(({ tokenId }) => tokenId);

describe("an operator's token", () => {
  it('is good from the event that issued it until it is revoked', () => {
    const issue = { kind: 'IssueOperatorToken', token: token('a') } as const;
    expect(given(decider).when(issue)).toEqual([issued('a')]);
    expect(listIds(given(decider, issued('a')).state.live)).toEqual(['a']);
    expect(given(decider, issued('a')).when(revoke('a'))).toEqual([revoked('a')]);
    const { state } = given(decider, issued('a'), issued('b'), revoked('a'));
    expect(listIds(state.live)).toEqual(['b']);
    expect(state.revoked).toEqual([{ ...token('a'), revokedAt: T1 }]);
  });

  it('is revoked once; one that never was, or has expired, is not found', () => {
    expect(given(decider, issued('a'), revoked('a')).when(revoke('a'))).toEqual([]);
    expect(given(decider, issued('a')).when(revoke('b'))).toBe('operator_token/not_found');
    expect(given(decider, issued('a')).when(revoke('a', T2))).toBe('operator_token/not_found');
  });

  it('is issued and revoked at no time before what the register knows', () => {
    const known = issued('a', { issuedAt: T1 });
    expect(given(decider, known).when(revoke('a', T0))).toEqual([revoked('a', T1)]);
    const issue = { kind: 'IssueOperatorToken', token: token('b', { issuedAt: T0 }) } as const;
    const after = given(decider, known, revoked('a', T1)).when(issue);
    expect(after).toEqual([issued('b', { issuedAt: T1 })]);
  });

  it('falls out of the register when it has expired, revoked or not', () => {
    const late = issued('c', { issuedAt: T2, expiresAt: '2027-02-01T10:00:00.000Z' });
    const { state } = given(decider, issued('a'), issued('b'), revoked('a'), late);
    expect(listIds(state.live)).toEqual(['c']);
    expect(state.revoked).toEqual([]);
  });

  it('replaces those of its issuer with its name where that is asked for, and no others', () => {
    const next = token('b', { name: 'demo', issuedAt: T1 });
    const others = [issued('x'), issued('y', { name: 'demo', issuedBy: 'cli' })];
    const command = { kind: 'IssueOperatorToken', token: next, replacesFormer: true } as const;
    const events = given(decider, issued('a', { name: 'demo' }), ...others).when(command);
    expect(events).toEqual([revoked('a'), { type: 'operator_token.issued.v1', data: next }]);
  });

  it('is not one of too many; revoked ones are kept for a while', () => {
    const many = Array.from({ length: MAX_LIVE_TOKENS }, (_, index) => issued(`t${index}`));
    const issue = { kind: 'IssueOperatorToken', token: token('x') } as const;
    expect(given(decider, ...many).when(issue)).toBe('operator_token/too_many');
    const issuedLate = issued('x', { issuedAt: T1 });
    expect(given(decider, ...many, revoked('t0')).when(issue)).toEqual([issuedLate]);
    const gone = many.map((_, index) => revoked(`t${index}`));
    const { state } = given(decider, ...many, ...gone);
    expect(state.live).toEqual([]);
    expect(state.revoked).toHaveLength(KEPT_REVOKED_TOKENS);
    expect(state.revoked.at(-1)?.tokenId).toBe(`t${MAX_LIVE_TOKENS - 1}`);
  });

  it.each(['standalone', 'cli'])('of %s has room however many operators issued', (issuedBy) => {
    const fill = (by: string) =>
      Array.from({ length: MAX_LIVE_TOKENS }, (_, n) => issued(`${by}${n}`, { issuedBy: by }));
    const issue = (by: string) =>
      ({ kind: 'IssueOperatorToken', token: token('x', { issuedBy: by }) }) as const;
    const own = [issued('x', { issuedBy })];
    expect(given(decider, ...fill('operator:demo')).when(issue(issuedBy))).toEqual(own);
    expect(given(decider, ...fill('operator:demo'), ...own).when(issue('operator:x'))).toBe(
      'operator_token/too_many',
    );
    expect(given(decider, ...fill(issuedBy)).when(issue(issuedBy))).toBe('operator_token/too_many');
    const theirs = [issued('x', { issuedBy: 'operator:x' })];
    expect(given(decider, ...fill(issuedBy)).when(issue('operator:x'))).toEqual(theirs);
  });

  it.each([
    [['app_1'], 'app_1'],
    [['app_1', 'app_2'], 'shared'],
    [['*'], 'shared'],
    [[], 'shared'],
  ])('for %j is in the register %s', (apps, register) => {
    expect(chooseRegister(apps)).toBe(register);
  });
});
