import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import {
  type CreatedCheckoutLink,
  findChallenge,
  lastAttempt,
  quoteOffer,
} from '#domain/checkout-link';
import { APP_DIRECTORY, CommandContexts, type CommandSource, queryWith, rejected } from '#nest';
import type { AppDirectory } from '#tenancy';
import { choosePageBrand, type PageBrand } from '../brand/page-brand.js';
import type { PlayerOrigin } from '../origin/player-origin.js';
import type { Notice } from '../pages/notice-page.js';
import {
  noticeFor,
  type RenderedPage,
  renderCheckoutPage,
  renderNotice,
} from '../pages/render-page.js';
import { ChangeQuotes } from './change-quotes.js';
import { ShowOrderPage } from '../order/order-page.handler.js';
import { KnownLinks } from '../links/known-links.js';
import { PaymentForms } from '../links/payment-forms.js';
import { chooseLinkLocale } from '../languages/page-locale.js';
import { explainRefusal } from '../links/refusal.js';

/** The page at the address of a link. */
export class ShowCheckoutPage extends queryWith<
  {
    linkId: string;
    acceptLanguage: string;
    /** Why the last click made no attempt, as an error names it; empty when nothing is known. */
    refusal: string;
    origin: PlayerOrigin;
    source: CommandSource;
  },
  RenderedPage
>() {}

/** Shows a player a page also where there is no offer to show. */
@QueryHandler(ShowCheckoutPage)
export class CheckoutPageHandler implements IQueryHandler<ShowCheckoutPage> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly links: KnownLinks,
    private readonly quotes: ChangeQuotes,
    private readonly queries: QueryBus,
    private readonly forms: PaymentForms,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
  ) {}

  async execute(query: ShowCheckoutPage): Promise<RenderedPage> {
    try {
      const link = await this.links.findAny(query.linkId);
      if (link.status !== 'created') return await this.show(link, query);
      const { linkId, acceptLanguage, refusal, origin, source } = query;
      const order = new ShowOrderPage({ linkId, acceptLanguage, refusal, origin, source });
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
    const challenge = findChallenge(link);
    const terms = await this.forms.prepare(link.appId, { challenge, isPayable: !isPaid });
    if (terms === undefined) return showNotice('notConfigured', query, { link, brand });
    const { taxRates, form } = terms;
    const now = await this.apps.now(app);
    const change =
      link.status === 'open' ? await this.quotes.find(link, { now, quotedAt: null }) : undefined;
    return renderCheckoutPage({
      locale: chooseLinkLocale(query.acceptLanguage, link),
      link,
      quote: quoteOffer(link, taxRates, now),
      change,
      brand,
      ...form,
      // A paid page leads to no gateway.
      cardsAt: isPaid ? undefined : form.cardsAt,
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
