import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { type OrderCommand, orderAggregate } from './order.decide.js';
import type { OrderCreated, OrderEvent } from './order.events.js';
import { beginSchedule, evolveSchedule, isScheduleOver, scheduleDueAt } from './order.schedule.js';
import { orderDueAt } from './order.state.js';
import {
  attempt,
  cancel,
  claim,
  created,
  decline,
  EXPIRES,
  freeOrder,
  paymentIdIn,
  settle,
  T1,
  T2,
} from './spec-support/orders.js';

const { decider } = orderAggregate;

const first = paymentIdIn(given(decider, created()).when(attempt(T1)));
const paid = settle(first, 'captured', T1);
const declined = settle(first, decline, T1);
const other = attempt(T2, 'pm_other');
const expire = { kind: 'ProcessOrderDueDate', now: EXPIRES } as const;

/** The parts kept of an order after each of these, beside the whole order. */
function play(begun: OrderCreated, commands: readonly OrderCommand[]) {
  const events: OrderEvent[] = [begun];
  let schedule = beginSchedule(begun.data);
  for (const command of commands) {
    const decided = given(decider, ...events).when(command);
    if (typeof decided === 'string') throw new Error(`${command.kind}: ${decided}`);
    for (const event of decided) {
      events.push(event);
      schedule = evolveSchedule(schedule, event);
      expect(scheduleDueAt(schedule)).toBe(orderDueAt(given(decider, ...events).state));
    }
  }
  return schedule;
}

/** rules/orders 5 */
describe('what is due in an order, by all of it and by what is kept of it', () => {
  it.each<[string, OrderCreated, OrderCommand[], boolean]>([
    ['an open one', created(), [], false],
    ['a paid one', created(), [attempt(T1), paid], true],
    ['a declined one', created(), [attempt(T1), declined], false],
    ['one that is paid anew', created(), [attempt(T1), declined, other], false],
    ['one that is paid by another method', created(), [attempt(T1), other], false],
    ['one whose replaced attempt came late', created(), [attempt(T1), other, paid], false],
    ['a canceled one whose attempt is open', created(), [attempt(T1), cancel(T2)], false],
    ['a canceled one', created(), [attempt(T1), cancel(T2), declined], true],
    ['a claimed one', freeOrder, [claim], true],
    ['an expired one', created(), [expire], true],
  ])('is the same of %s', (_, begun, commands, isOver) => {
    const schedule = play(begun, commands);
    expect(isScheduleOver(schedule)).toBe(isOver);
    expect(scheduleDueAt(schedule) === null).toBe(isOver);
  });
});
