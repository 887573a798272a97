import { type GenerationPlace, PLACES } from '#projection-engine';
import type { DescribedGeneration } from '#read-model-operations';
import { CliError } from '../cli-error.js';

/** A generation to verify, with its place in all partitions. */
export interface ChosenGeneration {
  readonly generation: number;
  readonly state: string;
  readonly place: GenerationPlace;
}

/**
 * Those that have all of history in all partitions: the one that answers and the one that waits for its swap, or the wanted one.
 *
 * @throws CliError where there is none.
 */
export function chooseGenerations(
  generations: readonly Pick<DescribedGeneration, 'generation' | 'state' | 'places'>[],
  partitions: number,
  wanted: number | undefined,
): ChosenGeneration[] {
  const whole = generations.flatMap(({ generation, state, places }) => {
    const place = PLACES.find((each) => places[each] === partitions);
    return place === undefined || state === 'building' ? [] : [{ generation, state, place }];
  });
  const chosen = whole.filter(({ generation, state }) =>
    wanted === undefined ? state !== 'former' : generation === wanted,
  );
  if (chosen.length > 0) return chosen;
  const of = wanted === undefined ? 'No generation' : `Generation ${wanted}`;
  const message = `${of} of it has all of history in every partition: "list" shows which there are.`;
  throw new CliError(message, 'refused', [], 'NOTHING_TO_VERIFY');
}
