import type { Aggregate, AnyRejection } from '#domain/decider';
import {
  COMMAND_RECORDED,
  type DomainEvent,
  type Instant,
  type RecordedEvent,
} from '#domain/event';
import { type Money, toMajor } from '#domain/money';
import { type EventStore, foldEvents, unfolded } from '#event-store';

/** One event in plain words, as people of operations and support read it. */
export interface TimelineEntry {
  readonly revision: number;
  readonly at: Instant;
  /** The author: `app`, `player`, an operator, or a process of ours. */
  readonly by: string;
  readonly type: string;
  readonly what: string;
}

/** How each event of a stream is said; the compiler asks for a line when one is added. */
export type Words<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: (
    data: Extract<Event, { readonly type: Type }>['data'],
  ) => string;
};

/** An event in plain words; one that belongs in no stream of this kind, by its type. */
export function describeWith<Event extends DomainEvent>(
  words: Words<Event>,
  { type, data }: Pick<RecordedEvent, 'type' | 'data'>,
): string {
  if (type === COMMAND_RECORDED) return 'a command that changed nothing was noted';
  if (!Object.hasOwn(words, type)) return type;
  // The type names the row, and the codec has made the data those of the type.
  const describe = words[type as Event['type']];
  return describe(data);
}

/**
 * The state of a stream, and its events in plain words, oldest first; none where there is no such stream.
 *
 * @throws Fault as `readStream` does.
 */
export async function readTimeline<
  State,
  Command,
  Event extends DomainEvent,
  R extends AnyRejection,
>(
  store: Pick<EventStore, 'readStream'>,
  { category, decider }: Aggregate<State, Command, Event, R>,
  id: string,
  describe: (event: RecordedEvent) => string,
): Promise<{ readonly state: State; readonly events: readonly TimelineEntry[] }> {
  const events: TimelineEntry[] = [];
  const note = (event: RecordedEvent) => {
    const { revision, type, metadata } = event;
    const { occurredAt: at, actor: by } = metadata;
    events.push({ revision, at, by, type, what: describe(event) });
  };
  const stored = store.readStream(`${category}-${id}`);
  const { state } = await foldEvents(decider.evolve, unfolded(decider.initialState), stored, note);
  return { state, events };
}

/** An amount as people write it: 9.99 USD. */
export function sayMoney(amount: Money): string {
  return `${toMajor(amount)} ${amount.currency}`;
}
