import { describe, expect, it } from 'vitest';
import { describeStatus, isTroubled, sumUp, type ToldStatus } from './status-text.js';

const NOW_MS = Date.parse('2027-01-31T10:00:00.000Z');

const HEALTHY: ToldStatus = {
  ...{ id: 'whe_1', url: 'https://a.example/', state: 'enabled', disabledReason: '' },
  ...{ class: 'healthy', breaker: 'closed', openUntil: '', failures: 0, failingSince: '' },
  ...{ inFlight: 2, oldestInFlightAt: '2027-01-31T09:59:59.500Z' },
  ...{ behind: false, behindSince: '', failed: 0 },
};
const FAILING: ToldStatus = {
  ...{ ...HEALTHY, id: 'whe_2', class: 'failing', breaker: 'open', failures: 9 },
  ...{ openUntil: '2027-01-31T10:01:30.000Z', failingSince: '2027-01-31T07:30:00.000Z' },
  ...{ inFlight: 1000, oldestInFlightAt: '2027-01-31T07:55:00.000Z' },
  ...{ behind: true, behindSince: '2027-01-28T10:00:00.000Z', failed: 3 },
};
const HELD: ToldStatus = {
  ...{ ...HEALTHY, id: 'whe_3', class: 'held', state: 'disabled', disabledReason: 'failing' },
  ...{ inFlight: 0, oldestInFlightAt: '' },
};

describe('how endpoints are', () => {
  it('is said in a line for each, and in one of all', () => {
    const apps = [
      { appId: 'app_1', endpoints: [HEALTHY, FAILING] },
      { appId: 'app_2', endpoints: [HELD] },
    ];
    const [head = '', ...lines] = describeStatus(apps, NOW_MS).split('\n');
    const cells = (line: string) => line.trim().split(/ {2,}/);
    expect(cells(head).slice(0, 4)).toEqual(['app', 'endpoint', 'state', 'class']);
    const [healthy = '', failing = '', held = '', blank, totals] = lines;
    expect(cells(healthy)).toEqual([
      ...['app_1', 'whe_1', 'enabled', 'healthy', 'closed', '2', '0 s', '0', 'https://a.example/'],
    ]);
    expect(cells(failing)).toEqual([
      ...['app_1', 'whe_2', 'enabled', 'failing', 'open for 90 s', '2 h', '1000', '2 h', '3 d'],
      ...['3', 'https://a.example/'],
    ]);
    expect(cells(held).slice(0, 5)).toEqual([
      ...['app_2', 'whe_3', 'disabled (failing)', 'held', 'closed'],
    ]);
    expect([blank, totals]).toEqual([
      '',
      '3 endpoints: 1 healthy, 1 failing, 1 held; 1002 in flight, 1 behind, 3 failed for good.',
    ]);
  });

  it('is said of an app without endpoints, and of one that is behind by an unknown time', () => {
    expect(describeStatus([{ appId: 'app_1', endpoints: [] }], NOW_MS)).toMatch(/^0 endpoints: /);
    const unknown = { ...FAILING, behindSince: '' };
    expect(describeStatus([{ appId: 'app_1', endpoints: [unknown] }], NOW_MS)).toMatch(
      / yes {2,}3 /,
    );
  });

  it.each([
    ['one that is healthy', HEALTHY, false],
    ['one that fails', FAILING, true],
    ['one that is held', HELD, true],
    ['one whose breaker is half open', { ...HEALTHY, breaker: 'half_open' }, true],
    ['one that is backlogged', { ...HEALTHY, behind: true }, true],
    ['one where something was given up', { ...HEALTHY, failed: 1 }, true],
  ])('is worth a look of %s: %s', (_, told, expected) => {
    expect(isTroubled(told)).toBe(expected);
  });

  it('adds up', () => {
    expect(sumUp([HEALTHY, FAILING, HELD])).toEqual({
      ...{ endpoints: 3, healthy: 1, failing: 1, held: 1, inFlight: 1002, behind: 1, failed: 3 },
    });
  });
});
