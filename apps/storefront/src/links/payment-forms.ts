import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '#domain/event';
import { type TaxRates, taxRatesAggregate } from '#domain/pricing';
import type { PaymentGateways } from '#gateway';
import { CLOCK, Ledger } from '#nest';
import type { Clock } from '#platform';
import type { ChallengeAddresses } from '#tenancy';
import { CHALLENGE_ADDRESSES, GATEWAYS } from '../tokens.js';

/** A payment that its player has still to confirm. */
export interface OpenChallenge {
  readonly appId: string;
  readonly paymentId: string;
  readonly sealedUrl: string;
}

/** The form of a page where a player pays, as the page is rendered. */
interface PaymentForm {
  readonly wallNow: Instant;
  /** A new one for each page: clicks on the same page are one attempt. */
  readonly attemptKey: string;
  /** The origin of the gateway's own page for cards; undefined where the form itself takes the method. */
  readonly cardsAt: string | undefined;
  /** The address where the player confirms the payment; undefined where nothing is to be confirmed. */
  readonly challengeUrl: string | undefined;
}

/** The terms of a payment at the moment when its page is rendered. */
export interface PaymentTerms {
  readonly taxRates: TaxRates;
  readonly form: PaymentForm;
}

/** Prepares the forms of the pages of checkout links and of orders (rules/payments 11). */
@Injectable()
export class PaymentForms {
  constructor(
    private readonly ledger: Ledger,
    @Inject(GATEWAYS) private readonly gateways: Pick<PaymentGateways, 'find'>,
    @Inject(CHALLENGE_ADDRESSES) private readonly addresses: Pick<ChallengeAddresses, 'open'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @param page its player's open confirmation, and whether it is to be paid.
   * @returns undefined for a page that is to be paid and cannot: the app has no gateway.
   */
  async prepare(
    appId: string,
    page: { readonly challenge: OpenChallenge | undefined; readonly isPayable: boolean },
  ): Promise<PaymentTerms | undefined> {
    const { challenge, isPayable } = page;
    const gateway = await this.gateways.find(appId);
    if (gateway === undefined && isPayable) return undefined;
    const { state: taxRates } = await this.ledger.load(taxRatesAggregate, appId);
    const challengeUrl = challenge && this.addresses.open(challenge, challenge.sealedUrl);
    const form = {
      ...{ wallNow: this.clock.now(), attemptKey: randomUUID() },
      ...{ cardsAt: gateway?.cards?.origin, challengeUrl },
    };
    return { taxRates, form };
  }
}
