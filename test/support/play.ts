import type { AnyRejection, Decider } from '#domain/decider';

/** What commands gave rise to, one after the other, and the state that it leaves. */
export interface Played<State, Event> {
  readonly state: State;
  readonly events: readonly Event[];
}

/** Plays commands through a decider; none of them may be refused. */
export function play<State, Command, Event, Rejection extends AnyRejection>(
  { decide, evolve, initialState }: Decider<State, Command, Event, Rejection>,
  ...commands: readonly NoInfer<Command>[]
): Played<State, Event> {
  let state = initialState;
  const events: Event[] = [];
  for (const command of commands) {
    const decision = decide(command, state);
    if (!decision.accepted) {
      throw new Error(`${JSON.stringify(command)} was refused: ${decision.rejection.code}`);
    }
    events.push(...decision.events);
    state = decision.events.reduce(evolve, state);
  }
  return { state, events };
}
