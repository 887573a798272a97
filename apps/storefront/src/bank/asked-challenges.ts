import { Inject, Injectable } from '@nestjs/common';
import type { CheckoutAttempt, CreatedCheckoutLink } from '#domain/checkout-link';
import type { PaymentGateways, SandboxChallenge, SandboxChallenges } from '#gateway';
import { CommandContexts, notFound } from '#nest';
import { choosePageBrand, type PageBrand } from '../brand/page-brand.js';
import { KnownLinks } from '../checkout/known-links.js';
import { GATEWAYS, SANDBOX_CHALLENGES } from '../tokens.js';

/** A confirmation that a player was asked for, and the checkout that it belongs to. */
export interface AskedChallenge {
  readonly link: CreatedCheckoutLink;
  readonly brand: PageBrand;
  readonly attempt: CheckoutAttempt;
  readonly challenge: SandboxChallenge;
}

/** Finds confirmations by what stands in the address of the bank's page. */
@Injectable()
export class AskedChallenges {
  constructor(
    private readonly links: KnownLinks,
    private readonly contexts: CommandContexts,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(SANDBOX_CHALLENGES) private readonly bank: SandboxChallenges,
  ) {}

  /**
   * A made-up link costs no more than elsewhere (rules/payments 5), and of a link that is known only its own
   * payments are looked for.
   *
   * @throws ApiError 5 where nothing is to be confirmed there, or the sandbox does not serve the app.
   */
  async find(linkId: string, paymentId: string): Promise<AskedChallenge> {
    const link = await this.links.find(linkId);
    const attempt = link.attempts.find((one) => one.paymentId === paymentId);
    if (attempt === undefined) throw notFound('challenge', paymentId);
    const isServed = await this.gateways.serves(link.appId, 'sandbox');
    if (!isServed) throw notFound('challenge', paymentId);
    const brand = choosePageBrand(await this.contexts.requireApp(link.appId));
    const query = { key: paymentId, reference: attempt.subscriptionId };
    const challenge = await this.bank.find(query);
    if (challenge === undefined) throw notFound('challenge', paymentId);
    return { link, brand, attempt, challenge };
  }
}
