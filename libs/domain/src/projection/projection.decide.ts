import { addMilliseconds } from '../calendar/index.js';
import { accept, type AnyRejection, type Decision, reject } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { ProjectionEvent } from './projection.events.js';
import { findGenerations, type Generations, type ProjectionActs } from './projection.state.js';

interface OfReadModel {
  readonly readModel: string;
}

interface Reasoned extends OfReadModel {
  readonly reason: string;
}

/** A generation that gives way is kept for `formerKeptMs`. */
interface WithFormer extends Reasoned {
  readonly formerKeptMs: number;
  readonly now: Instant;
}

export type ProjectionCommand =
  | (Reasoned & {
      readonly kind: 'RequestRebuild';
      readonly hold: boolean;
      readonly maxPerSecond: number | null;
    })
  /** The projector of a new release asks: nothing of the read model answers, and another version of the projection does. */
  | (Reasoned & {
      readonly kind: 'BeginFirstGeneration';
      /** The last generation that the projector knew of when it looked; null where it knew of no acts. */
      readonly known: number | null;
    })
  /** The gate's word; a generation without findings answers at once, unless it is to be held. */
  | (WithFormer & {
      readonly kind: 'JudgeGeneration';
      readonly generation: number;
      readonly checked: number;
      readonly findings: readonly string[];
    })
  /** Nothing else answered: the partitions let the generation answer when it was built. */
  | (Reasoned & { readonly kind: 'NoteAnswering'; readonly generation: number })
  | (WithFormer & { readonly kind: 'SwapGeneration'; readonly anyway: boolean })
  | (WithFormer & {
      readonly kind: 'RollBackGeneration';
      /** Why the former generation cannot answer now, as Redis shows it; undefined where it can. */
      readonly obstacle?: string | undefined;
    })
  | (Reasoned & { readonly kind: 'DropGeneration'; readonly generation: number })
  | (Reasoned & { readonly kind: 'PauseRebuild' })
  | (Reasoned & { readonly kind: 'ResumeRebuild' });

export interface ProjectionRejection extends AnyRejection {
  readonly code:
    | 'projection/rebuild_under_way'
    | 'projection/nothing_built'
    | 'projection/not_verified'
    | 'projection/no_former'
    | 'projection/former_cannot_answer'
    | 'projection/generation_answers'
    | 'projection/generation_not_found';
}

type Decided = Decision<ProjectionEvent, ProjectionRejection>;

/** Decides for the read models of one projection (rules/read-models 3). Acts that hold already change nothing. */
export function decideProjection(command: ProjectionCommand, acts: ProjectionActs): Decided {
  const state = findGenerations(acts, command.readModel);
  switch (command.kind) {
    case 'RequestRebuild':
      return requestRebuild(command, state);
    case 'BeginFirstGeneration': {
      const last = Object.hasOwn(acts, command.readModel) ? state.last : null;
      // Another projector was faster.
      if (command.known !== last || state.building !== null) return accept();
      return accept(rebuildRequested(command, { generation: (last ?? 0) + 1, isFirst: true }));
    }
    case 'JudgeGeneration':
      return judge(command, state);
    case 'NoteAnswering':
      return noteAnswering(command, state);
    case 'SwapGeneration':
      return swap(command, state);
    case 'RollBackGeneration':
      return rollBack(command, state);
    case 'DropGeneration':
      return drop(command, state);
    case 'PauseRebuild':
    case 'ResumeRebuild':
      return pauseOrResume(command, state);
  }
}

function requestRebuild(
  command: Extract<ProjectionCommand, { kind: 'RequestRebuild' }>,
  { building, last, answering }: Generations,
): Decided {
  if (building !== null) return reject('projection/rebuild_under_way', String(building.generation));
  const isFirst = answering === null;
  return accept(rebuildRequested(command, { ...command, generation: last + 1, isFirst }));
}

function rebuildRequested(
  { readModel, reason }: Reasoned,
  asked: {
    readonly generation: number;
    readonly isFirst: boolean;
    readonly hold?: boolean;
    readonly maxPerSecond?: number | null;
  },
): ProjectionEvent {
  const { generation, isFirst, hold = false, maxPerSecond = null } = asked;
  const data = { readModel, generation, hold, maxPerSecond, isFirst, reason };
  return { type: 'projection.rebuild_requested.v1', data };
}

function judge(
  command: Extract<ProjectionCommand, { kind: 'JudgeGeneration' }>,
  state: Generations,
): Decided {
  const { readModel, generation, checked, findings } = command;
  const { building } = state;
  // Another judge was faster, or an operator has decided.
  if (building?.generation !== generation || building.gate?.kind === 'verified') return accept();
  const ofGeneration = { readModel, generation };
  if (findings.length > 0) {
    if (building.gate !== null) return accept();
    return accept({ type: 'projection.held.v1', data: { ...ofGeneration, findings } });
  }
  const verified = { type: 'projection.verified.v1', data: { ...ofGeneration, checked } } as const;
  if (building.hold) return accept<ProjectionEvent>(verified);
  return accept<ProjectionEvent>(verified, swapped(command, state, generation, false));
}

function noteAnswering(
  { readModel, generation, reason }: Extract<ProjectionCommand, { kind: 'NoteAnswering' }>,
  { building, answering }: Generations,
): Decided {
  if (answering !== null || building?.generation !== generation) return accept();
  const data = { readModel, generation, reason, anyway: false, formerUntil: null };
  return accept({ type: 'projection.swapped.v1', data });
}

function swap(
  command: Extract<ProjectionCommand, { kind: 'SwapGeneration' }>,
  state: Generations,
): Decided {
  const { building } = state;
  if (building === null) return reject('projection/nothing_built');
  const { generation, gate } = building;
  const isVerified = gate?.kind === 'verified';
  if (!isVerified && !command.anyway) {
    const findings = gate?.findings.join('; ') ?? 'the gate has not looked at it yet';
    return reject('projection/not_verified', `generation ${generation}: ${findings}`);
  }
  return accept(swapped(command, state, generation, !isVerified));
}

function swapped(
  { readModel, reason, now, formerKeptMs }: WithFormer,
  { answering }: Generations,
  generation: number,
  anyway: boolean,
): ProjectionEvent {
  const formerUntil = answering === null ? null : addMilliseconds(now, formerKeptMs);
  const data = { readModel, generation, reason, anyway, formerUntil };
  return { type: 'projection.swapped.v1', data };
}

function rollBack(
  command: Extract<ProjectionCommand, { kind: 'RollBackGeneration' }>,
  { former }: Generations,
): Decided {
  const { readModel, reason, now, formerKeptMs, obstacle } = command;
  if (former === null || former.until <= now) return reject('projection/no_former');
  if (obstacle !== undefined) return reject('projection/former_cannot_answer', obstacle);
  const formerUntil = addMilliseconds(now, formerKeptMs);
  const data = { readModel, generation: former.generation, reason, formerUntil };
  return accept({ type: 'projection.rolled_back.v1', data });
}

function drop(
  command: Extract<ProjectionCommand, { kind: 'DropGeneration' }>,
  { answering, building, former }: Generations,
): Decided {
  const { readModel, generation, reason } = command;
  if (generation === answering) return reject('projection/generation_answers');
  if (building?.generation !== generation && former?.generation !== generation) {
    return reject('projection/generation_not_found');
  }
  return accept({ type: 'projection.dropped.v1', data: { readModel, generation, reason } });
}

function pauseOrResume(
  command: Extract<ProjectionCommand, { kind: 'PauseRebuild' | 'ResumeRebuild' }>,
  { building }: Generations,
): Decided {
  const { kind, readModel, reason } = command;
  if (building === null) return reject('projection/nothing_built');
  const pauses = kind === 'PauseRebuild';
  if (building.isPaused === pauses) return accept();
  const type = pauses ? 'projection.paused.v1' : 'projection.resumed.v1';
  return accept({ type, data: { readModel, generation: building.generation, reason } });
}
