import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { given } from '../decider/spec-support/given.js';
import {
  LAST_TARGET,
  MAX_ADVANCE_MS,
  testClockAggregate,
  type TestClockCommand,
  type TestClockEvent,
  testClockNow,
} from './index.js';

/** The clock of a `test` app (rules/lifecycle 9): on by itself, on to targets, and never back. */
const { decider } = testClockAggregate;
const WALL = '2027-01-31T10:00:00.000Z';
const TARGET = '2027-03-01T00:00:00.000Z';
const STEP = '2027-02-10T00:00:00.000Z';
const advance = (to: string, wallNow = WALL): TestClockCommand => ({
  kind: 'RequestAdvance',
  appId: 'app_1',
  to,
  wallNow,
});
const step = (to: string, standsAt = WALL): TestClockCommand => ({
  kind: 'StepTestClock',
  ...{ to, advance: { standsAt, target: TARGET } },
});
const reach = (standsAt: string, wallNow = WALL, target = TARGET): TestClockCommand => ({
  kind: 'ReachTarget',
  ...{ wallNow, advance: { standsAt, target } },
});
const requested: TestClockEvent = {
  type: 'test_clock.advance_requested.v1',
  data: { appId: 'app_1', target: TARGET, from: WALL },
};
const stepped: TestClockEvent = { type: 'test_clock.stepped.v1', data: { to: STEP } };
const reached: TestClockEvent = {
  type: 'test_clock.target_reached.v1',
  data: { offsetMs: Date.parse(TARGET) - Date.parse(WALL) },
};

describe('a test clock', () => {
  it('is the wall clock until it is advanced', () => {
    expect(testClockNow(testClockAggregate.decider.initialState, WALL)).toBe(WALL);
  });

  it('stands still on its way, at one due time after the other', () => {
    expect(given(decider).when(advance(TARGET))).toEqual([requested]);
    expect(testClockNow(given(decider, requested).state, '2027-01-31T10:00:09.000Z')).toBe(WALL);
    expect(given(decider, requested).when(step(STEP))).toEqual([stepped]);
    expect(testClockNow(given(decider, requested, stepped).state, WALL)).toBe(STEP);
  });

  it('steps forward only, and not beyond its target', () => {
    const onItsWay = given(decider, requested, stepped);
    for (const to of [STEP, WALL, '2027-03-01T00:00:00.001Z']) {
      expect(onItsWay.when(step(to, STEP))).toEqual([]);
    }
    expect(onItsWay.when(step(TARGET, STEP))).toHaveLength(1);
    expect(given(decider).when(step(STEP))).toEqual([]);
  });

  it('is moved by none that knows it elsewhere, since what is due there is not known to them', () => {
    const onItsWay = given(decider, requested, stepped);
    expect(onItsWay.when(step('2027-02-20T00:00:00.000Z', WALL))).toEqual([]);
    expect(onItsWay.when(reach(WALL))).toEqual([]);
    const farther = '2027-06-01T00:00:00.000Z';
    const data = { appId: 'app_1', target: farther, from: STEP };
    const goingOn = given(decider, requested, stepped, { ...requested, data });
    expect(goingOn.when(reach(STEP))).toEqual([]);
    expect(goingOn.when(step(TARGET, STEP))).toEqual([]);
    expect(goingOn.when(reach(STEP, WALL, farther))).toHaveLength(1);
  });

  it('ticks on by itself once it is there', () => {
    expect(given(decider, requested, stepped).when(reach(STEP))).toEqual([reached]);
    const { state } = given(decider, requested, stepped, reached);
    expect(testClockNow(state, WALL)).toBe(TARGET);
    expect(testClockNow(state, '2027-01-31T10:00:05.000Z')).toBe('2027-03-01T00:00:05.000Z');
    expect(given(decider, requested, reached).when(reach(WALL))).toEqual([]);
  });

  it('shows no less than its target where the wall clock of another machine is behind', () => {
    const { state } = given(decider, requested, stepped, reached);
    expect(testClockNow(state, '2027-01-31T09:59:55.000Z')).toBe(TARGET);
  });

  it('does not go back when the way took longer than it covers', () => {
    const short = '2027-01-31T10:00:01.000Z';
    const from: TestClockEvent = {
      type: 'test_clock.advance_requested.v1',
      data: { appId: 'app_1', target: short, from: WALL },
    };
    expect(given(decider, from).when(reach(WALL, '2027-01-31T10:00:30.000Z', short))).toEqual([
      { type: 'test_clock.target_reached.v1', data: { offsetMs: 0 } },
    ]);
  });

  it('is asked for the same target again without a trace, on its way and there', () => {
    expect(given(decider, requested).when(advance(TARGET))).toEqual([]);
    const later = advance(TARGET, '2027-01-31T11:00:00.000Z');
    expect(given(decider, requested, reached).when(later)).toEqual([]);
  });

  it('refuses to go back: behind what it shows, or behind the target it is on its way to', () => {
    expect(given(decider).when(advance('2027-01-31T09:59:59.999Z'))).toBe('test_clock/backwards');
    expect(given(decider, requested).when(advance(STEP))).toBe('test_clock/backwards');
    expect(given(decider, requested, reached).when(advance(STEP))).toBe('test_clock/backwards');
  });

  it('refuses a mistyped century', () => {
    const atMost = new Date(Date.parse(WALL) + MAX_ADVANCE_MS).toISOString();
    expect(given(decider).when(advance(atMost))).toHaveLength(1);
    expect(given(decider).when(advance('2127-01-31T10:00:00.000Z'))).toBe('test_clock/too_far');
    const command = advance('2127-01-31T10:00:00.000Z');
    const refused = decider.decide(command, decider.initialState);
    const [violation] = refused.accepted ? [] : (refused.rejection.violations ?? []);
    expect(violation).toEqual({ field: 'to', description: expect.stringContaining(atMost) });
  });

  it('goes to the end of 9998, so that a year is left for what is due then', () => {
    const wall = '9998-06-01T00:00:00.000Z';
    expect(given(decider).when(advance(LAST_TARGET, wall))).toHaveLength(1);
    const beyond = given(decider).when(advance('9999-01-01T00:00:00.000Z', wall));
    expect(beyond).toBe('test_clock/beyond_calendar');
  });

  it('can be sent further while it is on its way', () => {
    const further = '2027-04-01T00:00:00.000Z';
    const outcome = given(decider, requested, stepped).when(advance(further));
    expect(outcome).toMatchObject([{ data: { target: further, from: STEP } }]);
    const { state } = given(decider, requested, stepped, ...(outcome as TestClockEvent[]));
    expect(state.advance).toEqual({ target: further, standsAt: STEP });
  });
});

it('no series of commands turns a test clock back', () => {
  const moves = fc.array(
    fc.record({
      wallMs: fc.integer({ min: 0, max: 10_000_000 }),
      toMs: fc.integer({ min: -1_000_000, max: 100_000_000 }),
      act: fc.constantFrom('advance' as const, 'step' as const, 'reach' as const),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(moves, (list) => {
      let state = testClockAggregate.decider.initialState;
      let wall = Date.parse(WALL);
      for (const { wallMs, toMs, act } of list) {
        const shown = testClockNow(state, new Date(wall).toISOString());
        wall += wallMs;
        const wallNow = new Date(wall).toISOString();
        const to = new Date(wall + toMs).toISOString();
        const { standsAt, target } = state.advance ?? { standsAt: WALL, target: TARGET };
        const command = {
          advance: advance(to, wallNow),
          step: { ...step(to), advance: { standsAt, target } },
          reach: reach(standsAt, wallNow, target),
        }[act];
        const decision = decider.decide(command, state);
        for (const event of decision.accepted ? decision.events : []) {
          state = decider.evolve(state, event);
        }
        expect(testClockNow(state, wallNow) >= shown).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
