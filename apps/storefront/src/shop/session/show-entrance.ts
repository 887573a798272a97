import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Instant } from '#domain/event';
import { CommandContexts, queryWith } from '#nest';
import { choosePageBrand, type PageBrand } from '../../brand/page-brand.js';
import { choosePageLocale, type PageLocale } from '../../languages/page-locale.js';
import { chooseRegion, type PlayerOrigin } from '../../origin/player-origin.js';
import { ShopSessions } from './shop-sessions.js';

/** The page at a link into the shop: its button uses the link, and the page itself does not (rules/webshop 1). */
export interface Entrance {
  readonly expiresAt: Instant;
  readonly page: EntranceView;
}

export interface EntranceView {
  readonly locale: PageLocale;
  readonly brand: PageBrand;
  /** Of the link. */
  readonly token: string;
}

export class ShowEntrance extends queryWith<
  { token: string; acceptLanguage: string; origin: PlayerOrigin },
  Entrance
>() {}

@QueryHandler(ShowEntrance)
export class ShowEntranceHandler implements IQueryHandler<ShowEntrance> {
  constructor(
    private readonly sessions: ShopSessions,
    private readonly contexts: CommandContexts,
  ) {}

  /** @throws ApiError 7 where the link was used, has expired, or is none. */
  async execute({ token, acceptLanguage, origin }: ShowEntrance): Promise<Entrance> {
    const session = await this.sessions.findLink(token);
    const app = await this.contexts.requireApp(session.appId);
    const regionCode = chooseRegion(session.regionCode, origin, app);
    const { language: linkLanguage, linkExpiresAt: expiresAt } = session;
    const locale = choosePageLocale({ linkLanguage, acceptLanguage, regionCode });
    return { expiresAt, page: { token, locale, brand: choosePageBrand(app) } };
  }
}
