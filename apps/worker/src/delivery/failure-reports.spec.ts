import { expect, it, jest } from '@jest/globals';
import { wallClock } from '#platform';
import type { EndpointFailures } from '#worker-state';
import { nextTurn, silent } from '../spec-support/fakes.js';
import { FailureReports } from './failure-reports.js';

function create() {
  const noted: string[] = [];
  const control = { isAway: false };
  const note = async (what: string) => {
    if (control.isAway) throw new Error('away');
    noted.push(what);
  };
  const shared: Partial<EndpointFailures> = {
    noteFailure: async () => (await note('failure'), { failures: 1, sinceMs: 5 }),
    noteSuccess: () => note('success'),
    noteChange: () => note('change'),
  };
  return {
    reports: new FailureReports(shared as EndpointFailures, wallClock, silent),
    noted,
    control,
  };
}

it('a success is reported after a failure, and else seldom', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const { reports, noted } = create();
  for (let n = 0; n < 3; n += 1) reports.succeeded('whe_1');
  expect(noted).toEqual(['success']);
  expect(await reports.failed('whe_1', 0)).toEqual({ failures: 1, sinceMs: 5 });
  for (let n = 0; n < 3; n += 1) reports.succeeded('whe_1');
  expect(noted).toEqual(['success', 'failure', 'success']);
  jest.useRealTimers();
});

it('what Redis does not take stops nothing, and a success is reported by the next one', async () => {
  const { reports, noted, control } = create();
  control.isAway = true;
  expect(await reports.failed('whe_1', 0)).toBeUndefined();
  reports.succeeded('whe_1');
  reports.changed('whe_1');
  await nextTurn();
  control.isAway = false;
  reports.succeeded('whe_1');
  expect(noted).toEqual(['success']);
});
