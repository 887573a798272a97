import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import type { FinanceCommand } from './finance.decide.js';
import type { CloseFigures, FinanceEvent, FinancePolicy } from './finance.events.js';
import { findPolicy } from './finance.state.js';
import { financeAggregate } from './index.js';

const { decider } = financeAggregate;

const berlin: FinancePolicy = {
  zone: 'Europe/Berlin',
  itemClasses: [
    { name: 'swords', match: { prefix: 'sword-' }, lifeDays: 761 },
    { name: 'gems', match: { metadata: { key: 'kind', value: 'gem' } }, lifeDays: null },
  ],
  approval: false,
};
const reason = 'Durable items.';
const setPolicy = (from: string, other: Partial<FinancePolicy> = {}): FinanceCommand => ({
  ...{ ...berlin, kind: 'SetPolicy', from, reason },
  ...other,
});
const policySet = (number: number, from: string, other: Partial<FinancePolicy> = {}) =>
  ({
    type: 'finance.policy_set.v1',
    data: { ...berlin, number, from, reason, ...other },
  }) as const satisfies FinanceEvent;

const figures = (period: string, size = 100): CloseFigures => ({
  ...{ period, size, rules: 'rules.v1' },
  reports: [{ name: 'trial-balance', hash: 'ab'.repeat(32) }],
  totals: [{ account: 'assets:bank', currency: 'EUR', debitMinor: '500', creditMinor: '0' }],
});
const close = (
  period: string,
  {
    first = '2026-01',
    now = '2026-12-31T00:00:00.000Z',
    by = 'operator:ann',
    policy = 0,
  }: { first?: string | null; now?: string; by?: string; policy?: number } = {},
): FinanceCommand => ({
  ...{ ...figures(period), kind: 'RequestClose', first, now, by, policy, reason: 'Month end.' },
});
const request = (period: string, policy = 0) => ({
  ...{ ...figures(period), policy, requestedBy: 'operator:ann', reason: 'Month end.' },
});
const closed = (period: string, policy = 0, approvedBy: string | null = null) =>
  ({
    type: 'finance.period_closed.v1',
    data: { ...request(period, policy), approvedBy },
  }) as const satisfies FinanceEvent;
const requested = (period: string) =>
  ({
    type: 'finance.close_requested.v1',
    data: request(period, 1),
  }) as const satisfies FinanceEvent;
const approve = (period: string, by: string): FinanceCommand => ({
  ...{ kind: 'ApproveClose', period, by, reason: 'Looked at.' },
});

/** The fields that a policy is refused for. */
function badFields(command: FinanceCommand, ...history: FinanceEvent[]): string[] {
  const decision = decider.decide(command, history.reduce(decider.evolve, decider.initialState));
  if (decision.accepted) return [];
  return (decision.rejection.violations ?? []).map(({ field }) => field);
}

describe('the policy of an app', () => {
  it('holds from its first day on, until the next one does; before it, UTC and at once', () => {
    const { state } = given(
      decider,
      policySet(1, '2026-02-01'),
      policySet(2, '2026-04-01', { zone: 'Asia/Tokyo' }),
    );
    const days = ['2026-01-31', '2026-02-01', '2026-03-31', '2026-04-01'];
    expect(days.map((day) => findPolicy(state, day).zone)).toEqual([
      ...['UTC', 'Europe/Berlin', 'Europe/Berlin', 'Asia/Tokyo'],
    ]);
    expect(findPolicy(state, '2026-01-31')).toMatchObject({ itemClasses: [], approval: false });
  });

  it('that is set later counts from its first day on, whatever was set for later days', () => {
    const { state } = given(
      decider,
      policySet(1, '2026-04-01', { zone: 'Asia/Tokyo' }),
      policySet(2, '2026-02-01'),
    );
    expect(findPolicy(state, '2026-05-01')).toMatchObject({ number: 2, zone: 'Europe/Berlin' });
  });

  it('is set once, and is no change again', () => {
    expect(given(decider).when(setPolicy('2026-02-01'))).toEqual([policySet(1, '2026-02-01')]);
    const { when } = given(decider, policySet(1, '2026-02-01'));
    expect(when(setPolicy('2026-02-01'))).toEqual([]);
    expect(when(setPolicy('2026-03-01'))).toEqual([policySet(2, '2026-03-01')]);
  });

  it('never reaches into a closed period', () => {
    const history = [closed('2026-01'), closed('2026-02')];
    expect(badFields(setPolicy('2026-02-01'), ...history)).toEqual(['from']);
    expect(badFields(setPolicy('2026-03-01'), ...history)).toEqual([]);
  });

  it('is refused with every field that is wrong', () => {
    const bad = {
      zone: 'Europe/Atlantis',
      itemClasses: [
        { name: '', match: { id: 'a' }, lifeDays: 0 },
        { name: 'b', match: { id: 'b', prefix: 'c' }, lifeDays: 3 },
        { name: 'c\n', match: { metadata: { key: '', value: 'x' } }, lifeDays: 1.5 },
        { name: 'd', match: { prefix: '' }, lifeDays: null },
      ],
    } as never;
    expect(badFields(setPolicy('2026-02-02', bad))).toEqual([
      'zone',
      ...['itemClasses[0].name', 'itemClasses[0].lifeDays'],
      'itemClasses[1].match',
      ...['itemClasses[2].name', 'itemClasses[2].lifeDays', 'itemClasses[2].match.metadata.key'],
      ...['itemClasses[3].match.prefix', 'from'],
    ]);
    expect(badFields(setPolicy('2026-02-01', { zone: '+02:00' }))).toEqual(['zone']);
    const many = Array.from({ length: 201 }, () => berlin.itemClasses[0]) as never;
    expect(badFields(setPolicy('2026-02-01', { itemClasses: many }))).toEqual(['itemClasses']);
  });
});

describe('a period', () => {
  it('is closed by one person, where the app asks for no second one', () => {
    expect(given(decider).when(close('2026-01'))).toEqual([closed('2026-01')]);
    expect(given(decider, closed('2026-01')).when(close('2026-02'))).toEqual([closed('2026-02')]);
  });

  it.each([
    ['the app has no entry', close('2026-01', { first: null }), 'finance/nothing_booked'],
    ['it is closed', close('2026-02'), 'finance/already_closed'],
    ['it is before the first one that was closed', close('2025-12'), 'finance/already_closed'],
    ['the one before it is open', close('2026-04'), 'finance/not_next_period'],
    [
      'it is not over',
      close('2026-03', { now: '2026-03-31T23:59:59.999Z' }),
      'finance/period_not_over',
    ],
  ])('is not closed where %s', (_, command, code) => {
    expect(given(decider, closed('2026-01'), closed('2026-02')).when(command)).toBe(code);
  });

  it('begins with that of the first entry', () => {
    expect(given(decider).when(close('2026-02'))).toBe('finance/not_next_period');
    expect(given(decider).when(close('2026-12', { first: '2026-12' }))).toBe(
      'finance/period_not_over',
    );
  });

  it('is over by the clock of its own zone', () => {
    const now = '2026-01-31T23:30:00.000Z';
    expect(given(decider).when(close('2026-01', { now }))).toBe('finance/period_not_over');
    const { when } = given(decider, policySet(1, '2026-01-01'));
    expect(when(close('2026-01', { now, policy: 1 }))).toEqual([closed('2026-01', 1)]);
  });

  it('is not closed by figures of another policy than its own', () => {
    const { when } = given(decider, policySet(1, '2026-01-01'), policySet(2, '2026-02-01'));
    expect(when(close('2026-01'))).toBe('finance/policy_changed');
    expect(when(close('2026-01', { policy: 2 }))).toBe('finance/policy_changed');
    expect(when(close('2026-01', { policy: 1 }))).toEqual([closed('2026-01', 1)]);
  });

  it('is followed by the next year', () => {
    const { when } = given(decider, closed('2026-12'));
    const now = '2027-02-01T00:00:00.000Z';
    expect(when(close('2027-01', { now }))).toEqual([closed('2027-01')]);
  });
});

describe('a second person', () => {
  const policy = policySet(1, '2026-01-01', { approval: true });
  const before = given(decider, policy, requested('2026-01'));

  it('is asked for where the policy says so, and closes as it was asked for', () => {
    const command = close('2026-01', { policy: 1 });
    expect(given(decider, policy).when(command)).toEqual([requested('2026-01')]);
    expect(before.when(command)).toEqual([]);
    expect(before.when(approve('2026-01', 'operator:bob'))).toEqual([
      {
        type: 'finance.close_approved.v1',
        data: { period: '2026-01', size: 100, approvedBy: 'operator:bob', reason: 'Looked at.' },
      },
      closed('2026-01', 1, 'operator:bob'),
    ]);
  });

  it('is another one than the first', () => {
    expect(before.when(approve('2026-01', 'operator:ann'))).toBe('finance/same_person');
  });

  it('approves what was asked for alone', () => {
    const code = 'finance/no_close_requested';
    expect(before.when(approve('2026-02', 'operator:bob'))).toBe(code);
    expect(given(decider).when(approve('2026-01', 'operator:bob'))).toBe(code);
    const after = given(decider, policy, requested('2026-01'), closed('2026-01', 1));
    expect(after.when(approve('2026-01', 'operator:bob'))).toEqual([]);
    expect(after.state.request).toBeNull();
  });

  it('does not approve figures of a policy that was replaced meanwhile', () => {
    const history = [policy, requested('2026-01')];
    const replaced = given(decider, ...history, policySet(2, '2026-01-01'));
    expect(replaced.when(approve('2026-01', 'operator:bob'))).toBe('finance/no_close_requested');
    const later = given(decider, ...history, policySet(2, '2026-02-01'));
    expect(later.when(approve('2026-01', 'operator:bob'))).toHaveLength(2);
  });
});

describe('a difference', () => {
  const accepted: FinanceEvent = {
    type: 'finance.difference_accepted.v1',
    data: { row: 'txn_1', reason: 'A fee of April.', acceptedBy: 'cli' },
  };
  const command: FinanceCommand = {
    ...{ kind: 'AcceptDifference', row: 'txn_1', reason: 'A fee of April.', by: 'cli' },
  };

  it('is accepted once, with a reason', () => {
    expect(given(decider).when(command)).toEqual([accepted]);
    const { state, when } = given(decider, accepted);
    expect(when({ ...command, reason: 'Another one.' })).toEqual([]);
    expect(state.accepted).toEqual({ txn_1: 'A fee of April.' });
  });
});
