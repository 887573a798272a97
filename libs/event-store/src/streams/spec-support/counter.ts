/** The smallest aggregate that shows everything: the specs of the command executor count with it. */
import { accept, type Aggregate, type Decision, reject } from '#domain/decider';
import type { DomainEvent } from '#domain/event';

export interface Counter {
  readonly total: number;
  readonly additions: number;
}

export type CounterCommand =
  /** Adds, unless the total would exceed the limit. Adding zero changes nothing. */
  | { readonly kind: 'add'; readonly amount: number }
  /** Raises the total to a level in steps of one event each; at that level already, changes nothing. */
  | { readonly kind: 'raise'; readonly to: number };

export type CounterEvent = DomainEvent<'counter.added.v1', { readonly amount: number }>;

const LIMIT = 1_000;

/** The aggregate of the specs. */
export const counter: Aggregate<Counter, CounterCommand, CounterEvent, { code: 'counter/limit' }> =
  {
    category: 'counter',
    decider: {
      initialState: { total: 0, additions: 0 },
      evolve: (state, { data }) => ({
        total: state.total + data.amount,
        additions: state.additions + 1,
      }),
      decide: decideCounter,
    },
  };

function decideCounter(
  command: CounterCommand,
  { total }: Counter,
): Decision<CounterEvent, { code: 'counter/limit' }> {
  const amount = command.kind === 'add' ? command.amount : Math.max(0, command.to - total);
  if (total + amount > LIMIT) return reject('counter/limit');
  if (command.kind === 'raise') return accept(...Array.from({ length: amount }, () => added(1)));
  return amount === 0 ? accept() : accept(added(amount));
}

function added(amount: number): CounterEvent {
  return { type: 'counter.added.v1', data: { amount } };
}
