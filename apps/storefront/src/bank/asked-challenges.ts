import { Inject, Injectable } from '@nestjs/common';
import type { PaymentGateways, SandboxChallenge, SandboxChallenges } from '#gateway';
import { CommandContexts, notFound } from '#nest';
import { choosePageBrand, type PageBrand } from '../brand/page-brand.js';
import { KnownLinks } from '../links/known-links.js';
import { OrderLinks } from '../order/order-links.js';
import { GATEWAYS, SANDBOX_CHALLENGES } from '../tokens.js';

/** A confirmation that a player was asked for, and the checkout that it belongs to. */
export interface AskedChallenge {
  readonly link: {
    readonly linkId: string;
    readonly appId: string;
    readonly player: string;
    readonly language: string;
    readonly regionCode: string;
  };
  readonly brand: PageBrand;
  /** The payment's name in the bank's books. */
  readonly reference: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly challenge: SandboxChallenge;
}

/** Finds confirmations by the address of the bank's page. */
@Injectable()
export class AskedChallenges {
  constructor(
    private readonly links: KnownLinks,
    private readonly orders: OrderLinks,
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
    const { reference, attempts, ...link } = await this.describe(linkId);
    const attempt = attempts.find((one) => one.paymentId === paymentId);
    if (attempt === undefined) throw notFound('challenge', paymentId);
    const isServed = await this.gateways.serves(link.appId, 'sandbox');
    if (!isServed) throw notFound('challenge', paymentId);
    const brand = choosePageBrand(await this.contexts.requireApp(link.appId));
    const challenge = await this.bank.find({ key: paymentId, reference });
    if (challenge === undefined) throw notFound('challenge', paymentId);
    return { link, brand, reference, attempt: attempt.attempt, challenge };
  }

  /** The attempts of a link, wherever they stand, and their names in the bank's books. */
  private async describe(linkId: string) {
    if (this.orders.leadsToOrder(linkId)) {
      const order = await this.orders.find(linkId);
      const { appId, player, language, regionCode, orderId: reference, attempts } = order;
      return { linkId, appId, player, language, regionCode, reference, attempts };
    }
    const { appId, player, language, regionCode, attempts } = await this.links.find(linkId);
    const reference = attempts[0]?.subscriptionId ?? '';
    return { linkId, appId, player, language, regionCode, reference, attempts };
  }
}
