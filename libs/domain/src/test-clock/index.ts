import { addMilliseconds, laterInstant, toMilliseconds } from '../calendar/index.js';
import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  type FieldViolation,
  reject,
  rejectFields,
  unknownEvent,
} from '../decider/index.js';
import type { DomainEvent, Instant } from '../event/index.js';

/**
 * The clock of a `test` app (rules/lifecycle 9): the wall clock plus an offset that only
 * grows. An advance is a target first; on the way there the clock stands still at one due time after
 * the other, so that everything happens at its own time; once there it ticks on by itself. Target
 * and steps are events, so that every process follows.
 */
export type AdvanceRequested = DomainEvent<
  'test_clock.advance_requested.v1',
  /** `from` is the time that the clock shows at that moment; it stands there until the first step. */
  { readonly appId: string; readonly target: Instant; readonly from: Instant }
>;
export type Stepped = DomainEvent<'test_clock.stepped.v1', { readonly to: Instant }>;
export type TargetReached = DomainEvent<
  'test_clock.target_reached.v1',
  { readonly offsetMs: number }
>;
export type TestClockEvent = AdvanceRequested | Stepped | TargetReached;

export interface TestClock {
  readonly offsetMs: number;
  /** Set while an advance is on its way. */
  readonly advance: { readonly target: Instant; readonly standsAt: Instant } | null;
  /** The newest target that was reached: asking for it once more is no step backwards. */
  readonly reached: Instant | null;
}

const startedTestClock: TestClock = { offsetMs: 0, advance: null, reached: null };

export type TestClockCommand =
  | {
      readonly kind: 'RequestAdvance';
      readonly appId: string;
      readonly to: Instant;
      readonly wallNow: Instant;
    }
  | (OnItsWay & { readonly kind: 'StepTestClock'; readonly to: Instant })
  | (OnItsWay & { readonly kind: 'ReachTarget'; readonly wallNow: Instant });

/**
 * The advance's state when nothing more was found due there. It holds for that state alone: a subscription that stood
 * still meanwhile, or did not see a farther target, would pass over due dates on the way.
 */
interface OnItsWay {
  readonly advance: { readonly target: Instant; readonly standsAt: Instant };
}

export interface TestClockRejection extends AnyRejection {
  readonly code: 'test_clock/backwards' | 'test_clock/beyond_calendar' | 'test_clock/too_far';
  readonly violations?: readonly FieldViolation[];
}

/** One call covers ten years at most: a mistyped century would renew for hours. */
export const MAX_ADVANCE_MS = 10 * 366 * 86_400_000;

/**
 * A clock ticks on from its target, and the steps due then have dates of their own: a year is left for both before
 * dates end (rules/api 7).
 */
export const LAST_TARGET: Instant = '9998-12-31T23:59:59.999Z';

/** The time on an app's clock when the wall clock shows `wallNow`. */
export function testClockNow(clock: TestClock, wallNow: Instant): Instant {
  if (clock.advance !== null) return clock.advance.standsAt;
  const shown = clock.offsetMs === 0 ? wallNow : addMilliseconds(wallNow, clock.offsetMs);
  // The offset was reckoned by the wall clock of one machine, and that of another may be behind it.
  return laterInstant(shown, clock.reached ?? shown);
}

/** Folds one event of a clock. */
function evolveTestClock(state: TestClock, event: TestClockEvent): TestClock {
  switch (event.type) {
    case 'test_clock.advance_requested.v1': {
      const { target, from } = event.data;
      const standsAt = state.advance?.standsAt ?? from;
      return { ...state, advance: { target: laterInstant(target, standsAt), standsAt } };
    }
    case 'test_clock.stepped.v1':
      if (state.advance === null) return state;
      return { ...state, advance: { ...state.advance, standsAt: event.data.to } };
    case 'test_clock.target_reached.v1':
      return {
        offsetMs: Math.max(state.offsetMs, event.data.offsetMs),
        advance: null,
        reached: state.advance?.target ?? state.reached,
      };
    default:
      return unknownEvent(state, event);
  }
}

/** Decides for one clock. The same target again goes on with the advance and changes nothing. */
function decideTestClock(
  command: TestClockCommand,
  state: TestClock,
): Decision<TestClockEvent, TestClockRejection> {
  switch (command.kind) {
    case 'RequestAdvance':
      return requestAdvance(command, state);
    case 'StepTestClock': {
      const { standsAt, target } = command.advance;
      if (!isWhereKnown(command, state) || command.to <= standsAt || command.to > target) {
        return accept();
      }
      return accept({ type: 'test_clock.stepped.v1', data: { to: command.to } });
    }
    case 'ReachTarget': {
      if (!isWhereKnown(command, state)) return accept();
      const offsetMs = toMilliseconds(command.advance.target) - toMilliseconds(command.wallNow);
      // Never back: an advance that took longer than it covered ends where the ticking clock is.
      return accept({
        type: 'test_clock.target_reached.v1',
        data: { offsetMs: Math.max(offsetMs, state.offsetMs) },
      });
    }
  }
}

function isWhereKnown({ advance: known }: OnItsWay, { advance }: TestClock): boolean {
  return advance?.standsAt === known.standsAt && advance.target === known.target;
}

function requestAdvance(
  { appId, to, wallNow }: Extract<TestClockCommand, { kind: 'RequestAdvance' }>,
  state: TestClock,
): Decision<TestClockEvent, TestClockRejection> {
  const from = testClockNow(state, wallNow);
  if (state.advance?.target === to || (state.advance === null && state.reached === to)) {
    return accept();
  }
  if (to > LAST_TARGET) {
    const description = `a test clock goes to ${LAST_TARGET} at most`;
    return rejectFields('test_clock/beyond_calendar', [{ field: 'to', description }]);
  }
  if (to < from) return reject('test_clock/backwards', from);
  if (state.advance !== null && to < state.advance.target) {
    return reject('test_clock/backwards', state.advance.target);
  }
  if (toMilliseconds(to) - toMilliseconds(from) > MAX_ADVANCE_MS) {
    const description = `one advance covers ten years at most: it goes to ${addMilliseconds(from, MAX_ADVANCE_MS)}`;
    return rejectFields('test_clock/too_far', [{ field: 'to', description }]);
  }
  return accept({ type: 'test_clock.advance_requested.v1', data: { appId, target: to, from } });
}

export const testClockAggregate = defineAggregate('test_clock', {
  initialState: startedTestClock,
  evolve: evolveTestClock,
  decide: decideTestClock,
});
