/**
 * The shape of every decision in the ledger (rules/events 2): `decide` looks at a command and
 * the folded state and answers with events or a rejection; `evolve` folds an event into the state.
 * Both are pure. `evolve` is total: history is true, so it never throws and never refuses.
 */
export interface Decider<State, Command, Event, Rejection extends AnyRejection> {
  readonly initialState: State;
  readonly evolve: (state: State, event: Event) => State;
  /**
   * Where a command has a `now`, it is the time of its context, and never before the last event of its stream
   * (rules/events 3). Other times of a command are data and are not changed.
   */
  readonly decide: (command: Command, state: State) => Decision<Event, Rejection>;
}

/** A rejection is the domain's "no": a stable code (`subscription/expired`) and, maybe, an event for the message. */
export interface AnyRejection {
  readonly code: string;
  readonly detail?: string;
}

/** One bad field of a command, as google.rpc.BadRequest names it (rules/api 12). */
export interface FieldViolation {
  /** The path of the field as it was sent: `priceIds`, `rates[2].rate`, `line 7`. */
  readonly field: string;
  readonly description: string;
}

/** Either events (none at all is a decision, too: nothing had to change) or one rejection. */
export type Decision<Event, Rejection extends AnyRejection> =
  | { readonly accepted: true; readonly events: readonly Event[] }
  | { readonly accepted: false; readonly rejection: Rejection };

/** The decision that the given events happen, in this order. */
export function accept<Event>(...events: Event[]): { accepted: true; events: Event[] } {
  return { accepted: true, events };
}

/** The decision that nothing happens, and why. */
export function reject<Code extends string>(
  code: Code,
  detail?: string,
): { accepted: false; rejection: { code: Code; detail?: string } } {
  return { accepted: false, rejection: detail === undefined ? { code } : { code, detail } };
}

/** The decision that nothing happens, since these fields of the command are not valid. */
export function rejectFields<Code extends string>(
  code: Code,
  violations: readonly FieldViolation[],
): { accepted: false; rejection: { code: Code; violations: readonly FieldViolation[] } } {
  return { accepted: false, rejection: { code, violations } };
}

/** One kind of stream: its category (no dash: a stream's category ends at the first one) and its decider. */
export interface Aggregate<State, Command, Event, Rejection extends AnyRejection> {
  readonly category: string;
  readonly decider: Decider<State, Command, Event, Rejection>;
}

/** An aggregate, whose types follow from its decider. */
export function defineAggregate<State, Command, Event, Rejection extends AnyRejection>(
  category: string,
  decider: Decider<State, Command, Event, Rejection>,
): Aggregate<State, Command, Event, Rejection> {
  return { category, decider };
}

/**
 * The end of a switch over the events of a fold: the compiler asks for a case when an event is added,
 * and a stream that a newer release has written to is left as it is.
 */
export function unknownEvent<State>(state: State, _event: never): State {
  return state;
}
