import { unknownEvent } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { ProjectionEvent } from './projection.events.js';

/** The gate's word on a generation. */
export type GateOutcome =
  | { readonly kind: 'verified'; readonly checked: number }
  | { readonly kind: 'held'; readonly findings: readonly string[] };

/** A generation that is built beside the one that answers, or waits for its swap. */
export interface BuildingGeneration {
  readonly generation: number;
  readonly hold: boolean;
  /** Events in a second over all partitions; null for no bound. */
  readonly maxPerSecond: number | null;
  readonly isPaused: boolean;
  /** Null until the gate has looked at it. */
  readonly gate: GateOutcome | null;
}

export interface FormerGeneration {
  readonly generation: number;
  /** It is kept and fed until then. */
  readonly until: Instant;
}

/** The generations of one read model, as the acts on it say. */
export interface Generations {
  /** The highest number that was given. */
  readonly last: number;
  /** Null where no generation of this read model has been let to answer yet. */
  readonly answering: number | null;
  readonly building: BuildingGeneration | null;
  readonly former: FormerGeneration | null;
}

/** A projection's read models with acts, by their names; one without acts has `NO_ACTS`. */
export type ProjectionActs = Readonly<Record<string, Generations>>;

/** A new ledger's read model: its first generation answers as soon as it is built, and no event says so. */
export const NO_ACTS: Generations = { last: 1, answering: 1, building: null, former: null };

/** The generations of a read model. */
export function findGenerations(acts: ProjectionActs, readModel: string): Generations {
  return (Object.hasOwn(acts, readModel) ? acts[readModel] : undefined) ?? NO_ACTS;
}

/** Folds one act. */
export function evolveProjection(acts: ProjectionActs, event: ProjectionEvent): ProjectionActs {
  const before = findGenerations(acts, event.data.readModel);
  const after = evolveGenerations(before, event);
  return after === before ? acts : { ...acts, [event.data.readModel]: after };
}

function evolveGenerations(state: Generations, event: ProjectionEvent): Generations {
  const { building } = state;
  switch (event.type) {
    case 'projection.rebuild_requested.v1': {
      const { generation, hold, maxPerSecond, isFirst } = event.data;
      const begun = { generation, hold, maxPerSecond, isPaused: false, gate: null };
      const former = isFirst ? null : state.former;
      const answering = isFirst ? null : state.answering;
      return { last: generation, answering, building: begun, former };
    }
    case 'projection.verified.v1':
      return withBuilding(state, { gate: { kind: 'verified', checked: event.data.checked } });
    case 'projection.held.v1':
      return withBuilding(state, { gate: { kind: 'held', findings: event.data.findings } });
    case 'projection.swapped.v1':
      return { ...answerWith(state, event.data), building: null };
    case 'projection.rolled_back.v1':
      return answerWith(state, event.data);
    case 'projection.dropped.v1': {
      const { generation } = event.data;
      if (building?.generation === generation) return { ...state, building: null };
      return state.former?.generation === generation ? { ...state, former: null } : state;
    }
    case 'projection.paused.v1':
      return withBuilding(state, { isPaused: true });
    case 'projection.resumed.v1':
      return withBuilding(state, { isPaused: false });
    default:
      return unknownEvent(state, event);
  }
}

function withBuilding(state: Generations, change: Partial<BuildingGeneration>): Generations {
  const { building } = state;
  return building === null ? state : { ...state, building: { ...building, ...change } };
}

function answerWith(
  state: Generations,
  {
    generation,
    formerUntil,
  }: { readonly generation: number; readonly formerUntil: Instant | null },
): Generations {
  const { answering } = state;
  const isKept = answering !== null && formerUntil !== null;
  const former = isKept ? { generation: answering, until: formerUntil } : null;
  return { ...state, answering: generation, former };
}
