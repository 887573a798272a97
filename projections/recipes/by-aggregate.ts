import type { Aggregate, AnyRejection } from '#domain/decider';
import type { StreamRecipe } from '#projection-engine/define';

/** The part of a recipe that folds a stream as the domain's deciders do. */
export function byAggregate<State, Command, Event, Rejection extends AnyRejection>({
  category,
  decider,
}: Aggregate<State, Command, Event, Rejection>): Pick<
  StreamRecipe<State>,
  'of' | 'streamName' | 'initial' | 'fold'
> {
  return {
    of: 'stream',
    streamName: (id) => `${category}-${id}`,
    initial: decider.initialState,
    // A stream of the category holds events of this aggregate alone.
    fold: (before, event) => decider.evolve(before, event as Event),
  };
}
