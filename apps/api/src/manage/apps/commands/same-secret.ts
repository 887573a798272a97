import { timingSafeEqual } from 'node:crypto';
import { Fault } from '#platform';
import type { AppSecrets } from '#tenancy';

/**
 * Whether a secret that an operator gives is one that the app has: each seal differs, so that it is opened. One that
 * opens by no master key that there is can only be replaced.
 *
 * @param kept as `open` takes it.
 */
export function isSameSecret(
  secrets: Pick<AppSecrets, 'open'>,
  given: string,
  ...kept: Parameters<AppSecrets['open']>
): boolean {
  try {
    return isEqual(secrets.open(...kept), given);
  } catch (error) {
    if (error instanceof Fault && error.code === 'undecodable') return false;
    throw error;
  }
}

function isEqual(kept: string, given: string): boolean {
  const [left, right] = [Buffer.from(kept), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
