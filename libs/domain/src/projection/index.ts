import { defineAggregate } from '../decider/index.js';
import { decideProjection } from './projection.decide.js';
import { evolveProjection, type ProjectionActs } from './projection.state.js';

export type { ProjectionCommand, ProjectionRejection } from './projection.decide.js';
export type { ProjectionEvent } from './projection.events.js';
export {
  type BuildingGeneration,
  findGenerations,
  type Generations,
  type ProjectionActs,
} from './projection.state.js';

const noActs: ProjectionActs = {};

/**
 * The acts of operators and projectors on the read models of one projection (rules/read-models 3). One stream holds those
 * of all versions, `projection-<name>`, so that each act is decided once, and a Redis that was emptied knows them again.
 */
export const projectionAggregate = defineAggregate('projection', {
  initialState: noActs,
  evolve: evolveProjection,
  decide: decideProjection,
});
