import type { Aggregate, AnyRejection } from '#domain/decider';
import type { RecordedEvent } from '#domain/event';
import { EVENT_TYPES } from '#domain/event-types';
import type { Projection } from './projection.js';

/** A projection whose documents are the states that the domain itself folds. */
export function foldedBy<State, Command, Event, Rejection extends AnyRejection>(
  aggregate: Aggregate<State, Command, Event, Rejection>,
): Pick<Projection<State>, 'categories' | 'documents' | 'eventTypes' | 'initialState' | 'project'> {
  const { category, decider } = aggregate;
  const { initialState, evolve } = decider;
  return {
    categories: [category],
    documents: { of: 'stream' },
    eventTypes: eventTypesIn(category),
    initialState,
    // It is given only events of the types that the projection names, which are the aggregate's.
    project: evolve as (before: State, event: RecordedEvent) => State,
  };
}

/** Every event type of a category, in its newest version. */
export function eventTypesIn(category: string): string[] {
  return EVENT_TYPES.filter((type) => type.startsWith(`${category}.`));
}
