import type { Instant } from '#domain/event';
import type { Generations } from '#domain/projection';
import type { GenerationPlace } from '#projection-engine';

/** The state of a generation (rules/read-models 1); `missing`: the acts name it, and Redis has nothing of it. */
export type GenerationState = 'building' | 'verified' | 'held' | 'answering' | 'former' | 'missing';

/** In how many partitions a generation has each place. */
export type PlaceCounts = { readonly [place in GenerationPlace]: number };

/** A generation as the acts and Redis tell of it. */
export interface JudgedGeneration {
  readonly generation: number;
  readonly places: PlaceCounts;
  readonly state: GenerationState;
  /** A sentence that explains a state which the places alone do not; null where there is nothing to explain. */
  readonly note: string | null;
}

export interface GenerationsToJudge {
  /** Undefined where this release cannot read the acts: then Redis alone tells the states. */
  readonly acts: Generations | undefined;
  /** By the number of the generation. */
  readonly placed: ReadonlyMap<number, PlaceCounts>;
  readonly partitions: number;
  readonly now: Instant;
}

/** All generations that the acts name or Redis has, in their order. */
export function judgeGenerations(input: GenerationsToJudge): JudgedGeneration[] {
  const { acts, placed, partitions } = input;
  const named = [acts?.answering, acts?.building?.generation, findFormer(input)?.generation];
  const numbers = new Set([...placed.keys(), ...named.filter((each) => typeof each === 'number')]);
  return [...numbers]
    .sort((one, other) => one - other)
    .map((generation) => {
      const places = placed.get(generation) ?? { checkpoint: 0, building: 0, former: 0 };
      const state = findState(generation, places, input);
      return { generation, places, state, note: explain(state, places, partitions) ?? null };
    });
}

/** The former generation by the acts, while it is kept. */
function findFormer({ acts, now }: GenerationsToJudge) {
  const former = acts?.former ?? undefined;
  return former !== undefined && former.until > now ? former : undefined;
}

function findState(
  generation: number,
  places: PlaceCounts,
  input: GenerationsToJudge,
): GenerationState {
  const { acts, partitions } = input;
  const isBuilt = acts?.building?.generation === generation;
  if (isNowhere(places)) {
    // A projector begins one that is to be built within moments.
    return isBuilt ? 'building' : 'missing';
  }
  if (isBuilt) {
    // Nothing else answered, so that the partitions let it answer.
    const isAnswering = places.checkpoint === partitions;
    return isAnswering ? 'answering' : (acts.building.gate?.kind ?? 'building');
  }
  if (acts?.answering === generation) {
    return places.building === partitions ? 'building' : 'answering';
  }
  return findFormer(input)?.generation === generation ? 'former' : findByPlace(places);
}

function isNowhere({ checkpoint, building, former }: PlaceCounts): boolean {
  return checkpoint + building + former === 0;
}

/** Of a generation that the acts do not name. */
function findByPlace({ checkpoint, building }: PlaceCounts): GenerationState {
  if (checkpoint > 0) return 'answering';
  return building > 0 ? 'building' : 'former';
}

function explain(
  state: GenerationState,
  places: PlaceCounts,
  partitions: number,
): string | undefined {
  const { checkpoint, building, former } = places;
  const there = checkpoint + building + former;
  if (there === 0) {
    return state === 'building'
      ? 'Redis has nothing of it yet: a projector begins it'
      : 'Redis has nothing of it: it was lost, or not begun yet; a projector builds one that answers anew';
  }
  if (there < partitions) return `Redis has it in ${there} of ${partitions} partitions`;
  if (state === 'answering' && checkpoint < partitions) {
    return `it answers in ${checkpoint} of ${partitions} partitions, and the others follow`;
  }
  return undefined;
}
