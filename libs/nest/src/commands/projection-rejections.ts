import type { ProjectionRejection } from '#domain/projection';
import { missing, refused, type RejectionRow } from './rejection-row.js';

/** The answers to refused acts on read models (rules/read-models 3). */
export const PROJECTION_ROWS: Readonly<Record<ProjectionRejection['code'], RejectionRow>> = {
  'projection/rebuild_under_way': refused(
    'REBUILD_UNDER_WAY',
    'A generation of this read model is built already. Wait for its swap, or drop it first.',
  ),
  'projection/nothing_built': refused(
    'NOTHING_BUILT',
    'No generation of this read model is being built. Ask for a rebuild first.',
  ),
  'projection/not_verified': refused(
    'GENERATION_NOT_VERIFIED',
    'The generation is not verified. `verify` names the differences; a swap with `anyway` and a reason lets it answer nevertheless.',
  ),
  'projection/no_former': refused(
    'NO_FORMER_GENERATION',
    'No former generation of this read model is kept. Rebuild it instead.',
  ),
  'projection/former_cannot_answer': refused(
    'FORMER_GENERATION_CANNOT_ANSWER',
    'The former generation cannot answer now.',
  ),
  'projection/generation_answers': refused(
    'GENERATION_ANSWERS',
    'The generation answers, and cannot be dropped. Swap or roll back first.',
  ),
  'projection/generation_not_found': missing('GENERATION', 'generation to drop'),
};
