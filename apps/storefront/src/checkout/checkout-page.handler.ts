import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import {
  type CreatedCheckoutLink,
  findChallenge,
  lastAttempt,
  quoteOffer,
} from '#domain/checkout-link';
import { taxRatesAggregate } from '#domain/pricing';
import type { PaymentGateways } from '#gateway';
import { APP_DIRECTORY, CLOCK, CommandContexts, type CommandSource, Ledger, rejected } from '#nest';
import type { Clock } from '#platform';
import type { AppDirectory, ChallengeAddresses } from '#tenancy';
import { choosePageBrand, type PageBrand } from '../brand/page-brand.js';
import type { PlayerOrigin } from '../origin/player-origin.js';
import {
  type Notice,
  type RenderedPage,
  renderCheckoutPage,
  renderNotice,
} from '../pages/render-page.js';
import { CHALLENGE_ADDRESSES, GATEWAYS } from '../tokens.js';
import { ChangeQuotes } from './change-quotes.js';
import { ShowOrderPage } from '../order/order-page.handler.js';
import { KnownLinks } from '../links/known-links.js';
import { chooseLinkLocale } from './link-locale.js';
import { noticeFor } from './notice-for.js';
import { explainRefusal } from '../links/refusal.js';

/** What a browser is shown at the address of a link. */
export class ShowCheckoutPage extends Query<RenderedPage> {
  constructor(
    readonly linkId: string,
    readonly acceptLanguage: string,
    /** Why the last click made no attempt, as an error names it; empty when nothing is known. */
    readonly refusal: string,
    readonly origin: PlayerOrigin,
    readonly source: CommandSource,
  ) {
    super();
  }
}

/** Shows a player a page also where there is no offer to show. */
@QueryHandler(ShowCheckoutPage)
export class CheckoutPageHandler implements IQueryHandler<ShowCheckoutPage> {
  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly links: KnownLinks,
    private readonly quotes: ChangeQuotes,
    private readonly queries: QueryBus,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(CHALLENGE_ADDRESSES) private readonly addresses: Pick<ChallengeAddresses, 'open'>,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(query: ShowCheckoutPage): Promise<RenderedPage> {
    try {
      const link = await this.links.findAny(query.linkId);
      if (link.status !== 'created') return await this.show(link, query);
      const { linkId, acceptLanguage, refusal, origin, source } = query;
      const order = new ShowOrderPage(linkId, acceptLanguage, refusal, origin, source);
      return await this.queries.execute(order);
    } catch (error) {
      return showNotice(noticeFor(error), query);
    }
  }

  private async show(found: CreatedCheckoutLink, query: ShowCheckoutPage): Promise<RenderedPage> {
    const link = { ...found, offer: await this.quotes.findOffer(found) };
    const app = await this.contexts.requireApp(link.appId);
    const brand = choosePageBrand(app);
    const isPaid = link.status === 'completed';
    const gateway = isPaid ? undefined : await this.gateways.find(link.appId);
    if (!isPaid && gateway === undefined) {
      return showNotice('notConfigured', query, { link, brand });
    }
    const { state: taxRates } = await this.ledger.load(taxRatesAggregate, link.appId);
    const now = await this.apps.now(app);
    const change =
      link.status === 'open' ? await this.quotes.find(link, { now, quotedAt: null }) : undefined;
    const challenge = findChallenge(link);
    return renderCheckoutPage({
      locale: chooseLinkLocale(query.acceptLanguage, link),
      link,
      quote: quoteOffer(link, taxRates, now),
      change,
      brand,
      wallNow: this.clock.now(),
      attemptKey: randomUUID(),
      cardsAt: gateway?.cards?.origin,
      challengeUrl: challenge && this.addresses.open(challenge, challenge.sealedUrl),
      refusal: explainRefusal(query.refusal || refusedAttempt(link)),
    });
  }
}

/** Why the last attempt was refused behind its click; empty where it was not. */
function refusedAttempt(link: CreatedCheckoutLink): string {
  const { refusal = null } = lastAttempt(link) ?? {};
  return refusal === null ? '' : rejected({ code: refusal }).reason;
}

function showNotice(
  notice: Notice,
  query: ShowCheckoutPage,
  { link, brand }: { link?: CreatedCheckoutLink; brand?: PageBrand } = {},
): RenderedPage {
  return renderNotice(notice, chooseLinkLocale(query.acceptLanguage, link), { brand });
}
