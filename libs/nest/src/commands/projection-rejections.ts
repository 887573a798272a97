import type { ProjectionRejection } from '#domain/projection';
import { PROJECTION_REFUSALS } from '#representations';
import { refused, type RejectionRow } from './rejection-row.js';

/** The answers to refused acts on read models (rules/read-models 3). */
export const PROJECTION_ROWS: Readonly<Record<ProjectionRejection['code'], RejectionRow>> = {
  'projection/rebuild_under_way': toRow('projection/rebuild_under_way'),
  'projection/nothing_built': toRow('projection/nothing_built'),
  'projection/not_verified': toRow('projection/not_verified'),
  'projection/no_former': toRow('projection/no_former'),
  'projection/former_cannot_answer': toRow('projection/former_cannot_answer'),
  'projection/generation_answers': toRow('projection/generation_answers'),
  'projection/generation_not_found': {
    status: 'NOT_FOUND',
    ...PROJECTION_REFUSALS['projection/generation_not_found'],
  },
};

function toRow(code: ProjectionRejection['code']): RejectionRow {
  const { reason, message } = PROJECTION_REFUSALS[code];
  return refused(reason, message);
}
