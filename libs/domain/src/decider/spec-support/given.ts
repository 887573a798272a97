import type { AnyRejection, Decider } from '../index.js';

/**
 * The grammar of every decider's specs: given these events, when this command comes, then these events happen, or it is
 * refused with this code.
 *
 *     expect(given(decider, created, canceled).when(reactivate)).toEqual([reactivated]);
 *     expect(given(decider).when(cancel)).toBe('subscription/not_found');
 */
export function given<State, Command, Event, Rejection extends AnyRejection>(
  { decide, evolve, initialState }: Decider<State, Command, Event, Rejection>,
  ...history: readonly NoInfer<Event>[]
): {
  readonly state: State;
  readonly when: (command: Command) => readonly Event[] | Rejection['code'];
} {
  const state = history.reduce(evolve, initialState);
  return {
    state,
    when: (command) => {
      const decision = decide(command, state);
      return decision.accepted ? decision.events : decision.rejection.code;
    },
  };
}
