import type { ProjectionRejection } from '#domain/projection';

/** The answer to a refused act, as the API and the command line give it. */
interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** The answers to refused acts on read models (rules/read-models 3). */
export const PROJECTION_REFUSALS: Readonly<Record<ProjectionRejection['code'], Refusal>> = {
  'projection/rebuild_under_way': {
    reason: 'REBUILD_UNDER_WAY',
    message:
      'A generation of this read model is built already. Wait for its swap, or drop it first.',
  },
  'projection/nothing_built': {
    reason: 'NOTHING_BUILT',
    message: 'No generation of this read model is being built. Ask for a rebuild first.',
  },
  'projection/not_verified': {
    reason: 'GENERATION_NOT_VERIFIED',
    message:
      'The generation is not verified. `verify` names the differences; a swap with `anyway` and a reason lets it answer nevertheless.',
  },
  'projection/no_former': {
    reason: 'NO_FORMER_GENERATION',
    message: 'No former generation of this read model is kept. Rebuild it instead.',
  },
  'projection/former_cannot_answer': {
    reason: 'FORMER_GENERATION_CANNOT_ANSWER',
    message: 'The former generation cannot answer now.',
  },
  'projection/generation_answers': {
    reason: 'GENERATION_ANSWERS',
    message: 'The generation answers, and cannot be dropped. Swap or roll back first.',
  },
  'projection/generation_not_found': {
    reason: 'GENERATION_NOT_FOUND',
    message: 'There is no such generation to drop.',
  },
};

/** A refusal for a person, with its detail. */
export function sayProjectionRefusal({ code, detail }: ProjectionRejection): Refusal {
  const { reason, message } = PROJECTION_REFUSALS[code];
  return { reason, message: detail === undefined ? message : `${message} (${detail})` };
}
