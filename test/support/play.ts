import type { AnyRejection, Decider } from '#domain/decider';

/** The events of commands, one after the other, and the state after them. */
export interface Played<State, Event> {
  readonly state: State;
  readonly events: readonly Event[];
  /** The events of each command in its state, as it is and changed so: none where it is refused. */
  again(change: (command: unknown) => unknown): readonly Repeated[];
}

export interface Repeated {
  readonly command: unknown;
  readonly events: readonly unknown[];
}

/** Plays commands through a decider; none of them may be refused. */
export function play<State, Command, Event, Rejection extends AnyRejection>(
  { decide, evolve, initialState }: Decider<State, Command, Event, Rejection>,
  ...commands: readonly NoInfer<Command>[]
): Played<State, Event> {
  let state = initialState;
  const states: State[] = [];
  const events: Event[] = [];
  for (const command of commands) {
    const decision = decide(command, state);
    if (!decision.accepted) {
      throw new Error(`${JSON.stringify(command)} was refused: ${decision.rejection.code}`);
    }
    events.push(...decision.events);
    states.push(state);
    state = decision.events.reduce(evolve, state);
  }
  const again = (change: (command: unknown) => unknown) =>
    states.map((before, index) => {
      // A change keeps the type of a command.
      const decision = decide(change(commands[index]) as Command, before);
      return { command: commands[index], events: decision.accepted ? decision.events : [] };
    });
  return { state, events, again };
}
