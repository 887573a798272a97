import type { SealedFor, Seal } from '#platform';

/**
 * The addresses where players confirm payments. A real gateway's are credentials: they open the payment at the
 * gateway. So they are sealed like other credentials, each for its own payment (rules/storage 4).
 */
export interface ChallengeAddresses {
  seal(payment: ChallengedPayment, url: string): string;
  /** @throws Fault `undecodable` where it was sealed for another payment, or under a key that is gone. */
  open(payment: ChallengedPayment, sealed: string): string;
}

interface ChallengedPayment {
  readonly appId: string;
  readonly paymentId: string;
}

export function createChallengeAddresses(seal: Seal): ChallengeAddresses {
  return {
    seal: (payment, url) => seal.seal(url, sealedFor(payment)),
    open: (payment, sealed) => seal.open(sealed, sealedFor(payment)),
  };
}

function sealedFor({ appId, paymentId }: ChallengedPayment): SealedFor {
  return { appId, purpose: `challenge of ${paymentId}` };
}
