import type { SealedFor, Seal } from '#platform';

/**
 * The addresses where players confirm payments. A real gateway's are credentials: they open the payment at the
 * gateway. So they are sealed like other credentials, each for its own payment (rules/storage 4).
 */
export class ChallengeAddresses {
  constructor(private readonly sealing: Seal) {}

  seal(payment: ChallengedPayment, url: string): string {
    return this.sealing.seal(url, sealedFor(payment));
  }

  /** @throws Fault `undecodable` where it was sealed for another payment, or under a key that is gone. */
  open(payment: ChallengedPayment, sealed: string): string {
    return this.sealing.open(sealed, sealedFor(payment));
  }
}

interface ChallengedPayment {
  readonly appId: string;
  readonly paymentId: string;
}

export const createChallengeAddresses = (seal: Seal) => new ChallengeAddresses(seal);

function sealedFor({ appId, paymentId }: ChallengedPayment): SealedFor {
  return { appId, purpose: `challenge of ${paymentId}` };
}
