import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { findOrderChallenge, quoteOrder } from '#domain/order';
import { CommandContexts, type CommandSource, queryWith } from '#nest';
import { choosePageBrand } from '../brand/page-brand.js';
import { personNavigates } from '../http/person-navigates.js';
import { PaymentForms } from '../links/payment-forms.js';
import { explainOrderRefusal } from '../links/refusal.js';
import { choosePageLocale } from '../languages/page-locale.js';
import { chooseRegion, type PlayerOrigin } from '../origin/player-origin.js';
import { renderNotice, renderOrderPage, type RenderedPage } from '../pages/render-page.js';
import { listOrderImageSources } from '../shop/catalog/image-sources.js';
import { OrderLinks } from './order-links.js';
import { OrderOpenings } from './order-openings.js';

/** The page at the address of an order's link. */
export class ShowOrderPage extends queryWith<
  {
    linkId: string;
    acceptLanguage: string;
    refusal: string;
    origin: PlayerOrigin;
    source: CommandSource;
  },
  RenderedPage
>() {}

@QueryHandler(ShowOrderPage)
export class OrderPageHandler implements IQueryHandler<ShowOrderPage> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly links: OrderLinks,
    private readonly openings: OrderOpenings,
    private readonly forms: PaymentForms,
  ) {}

  async execute(query: ShowOrderPage): Promise<RenderedPage> {
    const order = await this.links.find(query.linkId);
    const { language: linkLanguage, appId, items } = order;
    const { acceptLanguage, origin } = query;
    const app = await this.contexts.requireApp(appId);
    const regionCode = chooseRegion(order.regionCode, origin, app);
    const locale = choosePageLocale({ linkLanguage, acceptLanguage, regionCode });
    const brand = choosePageBrand(app);
    const isOpen = order.status === 'OPEN';
    const challenge = findOrderChallenge(order);
    const terms = await this.forms.prepare(appId, { challenge, isPayable: isOpen });
    if (terms === undefined) return renderNotice('notConfigured', locale, { brand });
    const { taxRates, form } = terms;
    const { now } = await this.contexts.withoutIdempotency(query.source, appId);
    const isCounted = personNavigates(query.source);
    if (isCounted) await this.openings.record(order, regionCode, query.source);
    const { currency } = order.quote.amount;
    return renderOrderPage({
      ...{ locale, order, now, ...form },
      quote: isOpen ? quoteOrder(items, currency, { regionCode, taxRates, now }) : order.quote,
      brand,
      tellsOpening: isOpen && !isCounted,
      imagesFrom: listOrderImageSources(app, items),
      refusal: explainOrderRefusal(query.refusal),
    });
  }
}
