import { PLAIN } from '../personal-data/index.js';

/** What `.v1` of these events held in the clear. */
interface PlainAddress {
  readonly challengeUrl: string;
}

/** It cannot be sealed where there is no key, and is of use for a day at most. */
function markPlain(data: unknown): unknown {
  // Golden files hold the stored form.
  const { challengeUrl, ...others } = data as PlainAddress;
  return { ...others, sealedUrl: `${PLAIN}${challengeUrl}` };
}

/** From the addresses of challenges in the clear to sealed ones (decision 0117). */
export const CHALLENGE_UPCASTERS = ['checkout_link.challenged', 'payment.challenged'].map(
  (name) => ({ from: `${name}.v1`, to: `${name}.v2`, upcast: markPlain }),
);
