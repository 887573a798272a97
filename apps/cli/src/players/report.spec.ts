import { describe, expect, it } from 'vitest';
import type { Erasure } from './erasures.js';
import type { ErasureReport } from './player-erasure.js';
import { describeErasures, describeReport } from './report.js';

const erasure: Erasure = {
  ...{ appId: 'app_1', player: 'ab'.repeat(16), erasedAt: '2027-01-31T10:00:00.000Z' },
  ...{ revision: 1, due: 'scavenge', isScavenging: false },
};
const report: ErasureReport = {
  ...{ erasure, canceled: [], mayScavenge: true, hasReturned: false, late: [] },
};

describe('what an erasure says at its end', () => {
  it.each<[string, Partial<ErasureReport>, RegExp]>([
    ['that a scavenge runs', { erasure: { ...erasure, isScavenging: true } }, /takes the key off/],
    ['that one is due', { mayScavenge: false }, /A scavenge is due, which this user may not start/],
    ['that none is known to have begun', {}, /not known: look with .* and run this again/],
    [
      'which nodes are left',
      { erasure: { ...erasure, nodes: { done: ['n1:1'], left: 2, among: ['n2:1', 'n3:1'] } } },
      /more\.\nA scavenge is still to end on n2:1, n3:1\. Each node has to:/,
    ],
    [
      'that a scavenge runs on one of several nodes',
      {
        erasure: {
          ...{ ...erasure, isScavenging: true },
          nodes: { done: [], left: 2, among: ['n1:1', 'n2:1'] },
        },
      },
      /takes the key off.*\nA scavenge is still to end on n1:1, n2:1\./,
    ],
    ['that nothing is left', { erasure: { ...erasure, due: 'nothing' } }, /Nothing of the key/],
    ['that the player has come back', { hasReturned: true }, /has come back since.*once more for/],
    ['what it ended', { canceled: ['sub_1', 'sub_2'] }, /Ended before: sub_1, sub_2\./],
    [
      'what began meanwhile',
      { late: [{ kind: 'subscription', id: 'sub_3', status: 'active' }] },
      /began meanwhile.*\n {2}subscription sub_3 is active: end it, or erase with --cancel/,
    ],
  ])('is %s', (_, part, said) => {
    expect(describeReport({ ...report, ...part })).toMatch(said);
  });
});

describe('the status of erasures', () => {
  it('is a line for each player, with what is due', () => {
    const all: Erasure[] = [
      erasure,
      { ...erasure, isScavenging: true },
      { ...erasure, nodes: { done: [], left: 1, among: ['n1:1'] } },
      { ...erasure, nodes: { done: ['a:1'], left: 1, among: ['n1:1', 'n2:1'] } },
      { ...erasure, due: 'truncation' },
      { ...erasure, due: 'nothing' },
    ];
    const lines = describeErasures(all).split('\n');
    expect(lines.map((line) => line.replace(/^.*(?:ab){16} +/, ''))).toEqual([
      ...['scavenge is due', 'a scavenge runs', 'scavenge is due; left: n1:1'],
      'scavenge is due; left: 1 of n1:1, n2:1 (done: a:1)',
      ...['truncation is due', 'done'],
    ]);
    expect(describeErasures([])).toBe('No player was erased.');
  });
});
