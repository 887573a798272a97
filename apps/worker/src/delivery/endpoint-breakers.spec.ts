import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { FailedAttempt, Failing, Probe, SharedBreakers } from '#endpoint-state';
import { BREAKER_ASKED_AGAIN_MS, SUCCESS_REPORTED_EVERY_MS } from '../limits.js';
import { silent } from '../spec-support/fakes.js';
import { EndpointBreakers } from './endpoint-breakers.js';

const T0 = Date.parse('2027-01-31T10:00:00Z');
const ATTEMPT = { tookMs: 20, retryAfterMs: 0 };

/** A partition's breakers, and what Redis answers. */
function create() {
  const asked: string[] = [];
  const closed: string[] = [];
  const failures: FailedAttempt[] = [];
  const answers = {
    openUntilMs: 0,
    probe: { kind: 'closed' } as Probe,
    isAway: false,
    pausedUntilMs: 0,
  };
  const reach = () => {
    if (answers.isAway) throw new Error('away');
  };
  const shared: Partial<SharedBreakers> = {
    noteFailure: async (_, attempt): Promise<Failing> => {
      reach();
      failures.push(attempt);
      return { sinceMs: T0, failures: failures.length, openUntilMs: answers.openUntilMs };
    },
    takeProbe: async (endpointId) => {
      asked.push(endpointId);
      reach();
      return answers.probe;
    },
    noteSuccess: async (endpointId) => {
      reach();
      closed.push(endpointId);
      return answers.pausedUntilMs;
    },
    close: async (endpointId) => void closed.push(endpointId),
  };
  const clock = { now: () => new Date(Date.now()).toISOString() };
  const breakers = new EndpointBreakers(shared as SharedBreakers, clock, silent);
  const room: string[] = [];
  // As the runner does: it looks again whether there is room.
  breakers.onRoom((id) => void room.push(`${id}: ${breakers.limitFor(id)}`));
  const fail = (openForMs: number) => {
    answers.openUntilMs = openForMs === 0 ? 0 : Date.now() + openForMs;
    return breakers.failed('whe_1', ATTEMPT);
  };
  return { breakers, fail, room, asked, closed, failures, answers };
}

describe("the breaker of an endpoint, as a partition's deliveries meet it", () => {
  beforeEach(() => void jest.useFakeTimers({ now: T0 }));
  afterEach(() => void jest.useRealTimers());
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  it('bounds nothing and asks for nothing where an endpoint takes what it is sent', () => {
    const { breakers, asked, closed } = create();
    for (let n = 0; n < 3; n += 1) {
      expect(breakers.limitFor('whe_1')).toBe(Infinity);
      expect(breakers.admit('whe_1', `m${n}`)).toBe(true);
      breakers.succeeded('whe_1');
    }
    expect([asked, closed]).toEqual([[], ['whe_1']]);
  });

  it('says a success once an hour, so that failures of other partitions do not add up', async () => {
    const { breakers, closed } = create();
    breakers.succeeded('whe_1');
    await pass(SUCCESS_REPORTED_EVERY_MS);
    breakers.succeeded('whe_1');
    breakers.succeeded('whe_1');
    expect(closed).toEqual(['whe_1', 'whe_1']);
  });

  it('says each success after a failure, also where Redis was away meanwhile', async () => {
    const { breakers, fail, closed, answers } = create();
    breakers.succeeded('whe_1');
    await fail(0);
    answers.isAway = true;
    breakers.succeeded('whe_1');
    await pass(1);
    answers.isAway = false;
    breakers.succeeded('whe_1');
    expect(closed).toEqual(['whe_1', 'whe_1']);
  });

  it('lets nothing go while it is open, and looks again when that ends', async () => {
    const { breakers, fail, room, asked, answers, failures } = create();
    await fail(5_000);
    expect(failures).toEqual([{ nowMs: T0, begunAtMs: T0 - 20, retryAfterMs: 0 }]);
    expect([breakers.limitFor('whe_1'), breakers.admit('whe_1', 'm1')]).toEqual([0, false]);
    expect(breakers.find('whe_1')).toBe('open');
    await pass(4_999);
    expect([room, asked]).toEqual([[], []]);
    answers.probe = { kind: 'probe', untilMs: T0 + 25_000 };
    await pass(1);
    expect(room).toEqual(['whe_1: 0', 'whe_1: 1']);
    expect(breakers.find('whe_1')).toBe('half_open');
  });

  it('lets one attempt go when it is half open, and all others wait for what becomes of it', async () => {
    const { breakers, fail, room, closed, answers } = create();
    await fail(5_000);
    answers.probe = { kind: 'probe', untilMs: T0 + 25_000 };
    breakers.limitFor('whe_1');
    await pass(5_000);
    const admitted = ['m1', 'm2', 'm1'].map((member) => breakers.admit('whe_1', member));
    expect(admitted).toEqual([true, false, true]);
    breakers.giveBack('whe_1', 'm1');
    expect(breakers.admit('whe_1', 'm2')).toBe(true);
    await fail(10_000);
    expect([breakers.limitFor('whe_1'), breakers.admit('whe_1', 'm3')]).toEqual([0, false]);
    answers.probe = { kind: 'probe', untilMs: T0 + 60_000 };
    await pass(10_000);
    breakers.succeeded('whe_1');
    expect(breakers.limitFor('whe_1')).toBe(0);
    await pass(0);
    expect([room.at(-1), closed]).toEqual(['whe_1: Infinity', ['whe_1']]);
  });

  it('stays open for as long as the receiver asked, though another attempt succeeds', async () => {
    const { breakers, fail, answers } = create();
    await fail(5_000);
    answers.pausedUntilMs = T0 + 5_000;
    breakers.succeeded('whe_1');
    await pass(0);
    expect([breakers.limitFor('whe_1'), breakers.find('whe_1')]).toEqual([0, 'open']);
  });

  it('makes no other attempt while Redis is asked what a failure means', async () => {
    const { breakers, fail, answers } = create();
    await fail(5_000);
    answers.probe = { kind: 'probe', untilMs: T0 + 25_000 };
    breakers.limitFor('whe_1');
    await pass(5_000);
    breakers.admit('whe_1', 'm1');
    const failed = fail(10_000);
    expect(breakers.limitFor('whe_1')).toBe(0);
    await failed;
  });

  it('waits while another process makes the attempt, and goes on when that has succeeded', async () => {
    const { breakers, fail, room, asked, answers } = create();
    await fail(5_000);
    answers.probe = { kind: 'probed', untilMs: T0 + 25_000 };
    breakers.limitFor('whe_1');
    await pass(5_000);
    answers.probe = { kind: 'closed' };
    await pass(BREAKER_ASKED_AGAIN_MS);
    expect(room.at(-1)).toBe('whe_1: Infinity');
    expect(asked).toHaveLength(2);
  });

  it('asks again and again where Redis is away, once a second', async () => {
    const { breakers, fail, asked, answers } = create();
    await fail(5_000);
    breakers.limitFor('whe_1');
    answers.isAway = true;
    await pass(5_000 + 3 * BREAKER_ASKED_AGAIN_MS);
    expect(asked).toHaveLength(4);
  });

  it('is not asked for again by one that was changed meanwhile', async () => {
    const { breakers, fail, asked, closed } = create();
    await fail(5_000);
    breakers.limitFor('whe_1');
    breakers.close('whe_1');
    expect(breakers.limitFor('whe_1')).toBe(Infinity);
    await pass(10_000);
    expect([asked, closed]).toEqual([[], ['whe_1']]);
  });
});
