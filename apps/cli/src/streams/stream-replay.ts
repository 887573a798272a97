import type { RecordedEvent } from '#domain/event';
import { type EventStore, foldEvent, unfolded } from '#event-store';
import type { Replayable } from './replayable.js';

/** An event with the states on both of its sides. */
export interface ReplayedEvent {
  readonly event: RecordedEvent;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Folds a stream event by event, as commands fold it. It keeps one state and no event, so that a stream may have any length.
 *
 * @throws Fault as `readStream` does.
 */
export async function* replayStream(
  store: Pick<EventStore, 'readStream'>,
  streamName: string,
  { decider }: Replayable,
): AsyncGenerator<ReplayedEvent> {
  // It is given the states that it gave itself.
  const evolve = decider.evolve as (state: unknown, event: never) => unknown;
  let folded = unfolded(decider.initialState);
  for await (const event of store.readStream(streamName)) {
    const before = folded.state;
    // The commands of a long stream need not be known here.
    folded = foldEvent(evolve, { ...folded, commands: new Map() }, event);
    yield { event, before, after: folded.state };
  }
}
