import type { BuildingGeneration, Generations } from '#domain/projection';
import type { Instant, Position } from '#domain/event';

/** A generation in one of the places of a partition. */
export interface PlacedGeneration {
  readonly generation: number;
  /** It has all of history, but for the latest events: it may answer. */
  readonly isCaughtUp: boolean;
  /** Everything up to here is in it. */
  readonly position: Position;
}

/** By the places: the one in `answering` is that of the key `checkpoint`. */
export interface Placed {
  readonly answering?: PlacedGeneration | undefined;
  readonly building?: PlacedGeneration | undefined;
  readonly former?: PlacedGeneration | undefined;
}

/** Everything that decides on the places of a read model's generations in one partition. */
export interface PlacementInput {
  readonly placed: Placed;
  /** Undefined where this release cannot read the acts: then it begins a generation only where none is. */
  readonly acts: Generations | undefined;
  /** Another version of the projection answers: a first generation of this one passes the gate before it answers. */
  readonly otherAnswers: boolean;
  readonly now: Instant;
}

/** A change of the places. `from` names the place that the generation has now. */
export type Step =
  | { readonly kind: 'begin'; readonly generation: number }
  /** Nothing answered: `isUnchecked` says that the gate has not looked at it. */
  | { readonly kind: 'answer'; readonly from: 'building' | 'former'; readonly isUnchecked: boolean }
  /** The generation that answers gives way; it is kept where it is the former one by the acts. */
  | { readonly kind: 'swap'; readonly from: 'building' | 'former'; readonly keepsFormer: boolean }
  /** A rollback came before this partition had followed the swap. */
  | { readonly kind: 'keep_as_former' }
  | { readonly kind: 'drop'; readonly from: 'building' | 'former' };

/**
 * The next step of a partition towards the places that the acts ask for (rules/read-models 3); undefined where it is
 * there. Steps are taken one after the other: each is one atomic act.
 */
export function findNextStep(input: PlacementInput): Step | undefined {
  const wishes = findWishes(input);
  const { answering, building } = input.placed;
  if (answering === undefined) return findAnswer(input, wishes);
  if (building?.generation === answering.generation) return replaceAhead(building);
  const step = findReplacement(input.placed, wishes) ?? findSwap(input.placed, wishes);
  return step ?? (input.acts === undefined ? undefined : findUpkeep(input.placed, wishes));
}

/** Numbers of generations by the acts; undefined for none. */
interface Wishes {
  readonly answering?: number | undefined;
  readonly building?: number | undefined;
  readonly former?: number | undefined;
  /** No generation of this read model has been let to answer yet. */
  readonly isFirst: boolean;
  readonly otherAnswers: boolean;
}

function findWishes({ acts, otherAnswers, now }: PlacementInput): Wishes {
  if (acts === undefined) return { isFirst: false, otherAnswers };
  const { answering, building, former } = acts;
  return {
    answering: answering ?? undefined,
    building: building?.generation,
    former: former !== null && former.until > now ? former.generation : undefined,
    isFirst: answering === null,
    otherAnswers,
  };
}

/** No generation answers here. */
function findAnswer({ placed }: PlacementInput, wishes: Wishes): Step | undefined {
  const { building, former } = placed;
  const wanted = wishes.answering ?? wishes.building ?? (wishes.isFirst ? undefined : 1);
  if (wanted === undefined) return findDropped(placed);
  if (former?.generation === wanted) return { kind: 'answer', from: 'former', isUnchecked: false };
  if (building === undefined) return { kind: 'begin', generation: wanted };
  // Without readable acts whatever was begun goes on.
  const isNamed = wishes.answering !== undefined || wishes.building !== undefined;
  if (isNamed && building.generation !== wanted) return { kind: 'drop', from: 'building' };
  const waitsForGate = wishes.isFirst && wishes.otherAnswers;
  if (!building.isCaughtUp || waitsForGate) return undefined;
  return { kind: 'answer', from: 'building', isUnchecked: true };
}

/** The acts name none: an operator has dropped the first one. */
function findDropped({ building, former }: Placed): Step | undefined {
  if (building !== undefined) return { kind: 'drop', from: 'building' };
  return former === undefined ? undefined : { kind: 'drop', from: 'former' };
}

/**
 * The generation that answers is ahead of a store that has lost events: it is built again, and replaced before all else. A swap
 * would wait for events that do not come.
 */
function replaceAhead({ isCaughtUp }: PlacedGeneration): Step | undefined {
  return isCaughtUp ? { kind: 'swap', from: 'building', keepsFormer: false } : undefined;
}

/** The built generation was swapped in. */
function findReplacement({ answering, building }: Placed, wishes: Wishes): Step | undefined {
  const { answering: wanted } = wishes;
  if (wanted === undefined || building?.generation !== wanted) return undefined;
  if (!building.isCaughtUp || isOlder(building, answering)) return undefined;
  const keepsFormer = wishes.former !== undefined && wishes.former === answering?.generation;
  return { kind: 'swap', from: 'building', keepsFormer };
}

/** Another generation is to answer than the one that does, and it is not built here. */
function findSwap({ answering, building, former }: Placed, wishes: Wishes): Step | undefined {
  const { answering: wanted } = wishes;
  const isThere = wanted === answering?.generation || wanted === building?.generation;
  if (wanted === undefined || isThere) return undefined;
  if (former?.generation === wanted) {
    const keepsFormer = wishes.former === answering?.generation;
    return isOlder(former, answering) ? undefined : { kind: 'swap', from: 'former', keepsFormer };
  }
  // It was lost here: it is built again beside the one that answers in its place.
  if (building === undefined) return { kind: 'begin', generation: wanted };
  return { kind: 'drop', from: 'building' };
}

/** A reader who has seen an event would see the state before it: both are fed together, and soon stand at the same event. */
function isOlder({ position }: PlacedGeneration, answering: PlacedGeneration | undefined): boolean {
  return answering !== undefined && position < answering.position;
}

/** Others are kept, or dropped where the acts name them no more. */
function findUpkeep(placed: Placed, wishes: Wishes): Step | undefined {
  return isFormerOver(placed, wishes)
    ? { kind: 'drop', from: 'former' }
    : findUpkeepOfBuild(placed, wishes);
}

function isFormerOver({ answering, former }: Placed, wishes: Wishes): boolean {
  if (former === undefined || former.generation === wishes.former) return false;
  const isAwaited = former.generation === wishes.answering;
  return !isAwaited || answering?.generation === wishes.answering;
}

/** Builds are begun beside the generation that answers. */
function findUpkeepOfBuild(
  { answering, building, former }: Placed,
  wishes: Wishes,
): Step | undefined {
  const isNamed = building?.generation === wishes.building;
  if (building !== undefined && !isNamed && building.generation !== wishes.answering) {
    const isKept = former === undefined && building.generation === wishes.former;
    if (!isKept) return { kind: 'drop', from: 'building' };
    // A former one may answer at once: it has to have all of history.
    return building.isCaughtUp ? { kind: 'keep_as_former' } : undefined;
  }
  // A first generation that answers already, since nothing else did, is still built by the acts.
  const isThere = building !== undefined || wishes.building === answering?.generation;
  if (isThere || wishes.building === undefined) return undefined;
  return { kind: 'begin', generation: wishes.building };
}

/** The build of this generation, where it is under way. */
export function findBuilding(
  acts: Generations | undefined,
  generation: number,
): BuildingGeneration | undefined {
  const building = acts?.building ?? undefined;
  return building?.generation === generation ? building : undefined;
}
