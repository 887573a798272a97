import { ApiError } from '#nest';

/**
 * The refusal of a key's second use for a call that shows a secret once: the secret is not kept in the
 * clear and cannot be shown again (rules/api 13).
 *
 * @param id of the object that the first use made, or gave a new secret.
 */
export function secretShownAlready(id: string): ApiError {
  return new ApiError('ABORTED', {
    reason: 'SECRET_SHOWN_ALREADY',
    message:
      'This Idempotency-Key was used before, and its secret is shown only once. If that answer was lost, ask for another secret with a new key.',
    metadata: { id },
  });
}
