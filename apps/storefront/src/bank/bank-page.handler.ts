import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { queryWith } from '#nest';
import { chooseLinkLocale } from '../languages/page-locale.js';
import {
  noticeFor,
  type RenderedPage,
  renderBankPage,
  renderNotice,
} from '../pages/render-page.js';
import { AskedChallenges } from './asked-challenges.js';

/** The page at the address of a confirmation. */
export class ShowBankPage extends queryWith<
  { linkId: string; paymentId: string; acceptLanguage: string },
  RenderedPage
>() {}

/** Shows a player a page also where there is nothing to confirm. */
@QueryHandler(ShowBankPage)
export class BankPageHandler implements IQueryHandler<ShowBankPage> {
  constructor(private readonly challenges: AskedChallenges) {}

  async execute({ linkId, paymentId, acceptLanguage }: ShowBankPage): Promise<RenderedPage> {
    try {
      const { link, brand, challenge } = await this.challenges.find(linkId, paymentId);
      const locale = chooseLinkLocale(acceptLanguage, link);
      return renderBankPage({ locale, link, challenge, brand });
    } catch (error) {
      return renderNotice(noticeFor(error), chooseLinkLocale(acceptLanguage));
    }
  }
}
