import { Body, Controller, Get, Headers, Param } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiExcludeEndpoint,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiSecurity,
} from '@nestjs/swagger';
import { CommandSource, PostOk } from '#nest';
import { AnswersWith, Refuses } from '#openapi';
import type { PageLocale } from '../../languages/page-locale.js';
import { AnswersInShop, ChangesShop } from './shop-controller.decorator.js';
import { renderNotice } from '../../pages/render-page.js';
import { TAKES_FORMS } from '../../http/form-body.js';
import { CameFrom, type PlayerOrigin } from '../../origin/player-origin.js';
import { changed, type ShopAnswer, shown } from '../http/shop-answer.js';
import { CHANGE } from '../http/shop-route.js';
import { VisitorLocale } from '../http/visitor-locale.js';
import {
  EnterShop,
  EnterShopHandler,
  SignOut,
  SignOutHandler,
} from '../session/session-changes.js';
import { renderEntrancePage } from '../pages/render-shop-page.js';
import { SessionCookie } from '../session/session-cookie.js';
import { EnteredDto, EntranceDto, SignOutBody } from '../session/session.dto.js';
import { ShowEntrance, ShowEntranceHandler } from '../session/show-entrance.js';
import { Visit } from '../http/visit.decorator.js';

/** The use cases behind the endpoints; the module provides them. */
export const SESSION_HANDLERS = [EnterShopHandler, ShowEntranceHandler, SignOutHandler];

/** The way into the shop, and out of it (rules/webshop 1). */
@AnswersInShop('session')
@Controller('shop')
export class SessionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly cookie: SessionCookie,
  ) {}

  /**
   * Tells until when a link from the game opens the shop, and uses nothing up: chat programs look at links before people
   * do. To browsers it is a page with one button, which its script presses at once.
   */
  @Get('enter/:token')
  @Refuses('WEBSHOP_LINK_NOT_VALID')
  @ApiOkResponse({ type: EntranceDto })
  @RouteConfig({ holdsCredential: true })
  async entrance(
    @Param('token') token: string,
    @Headers('accept-language') acceptLanguage = '',
    @CameFrom() origin: PlayerOrigin,
  ): Promise<ShopAnswer<EntranceDto>> {
    const { expiresAt, page } = await this.queries.execute(
      new ShowEntrance({ token, acceptLanguage, origin }),
    );
    return shown(
      () => ({ csrf: '', expiresAt }),
      () => renderEntrancePage(page),
    );
  }

  /** Opens a session by a link from the game, once. The cookie of the answer is the session. */
  @PostOk('enter/:token')
  @Refuses('WEBSHOP_LINK_NOT_VALID')
  @ApiOkResponse({ type: EnteredDto })
  @AnswersWith('Set-Cookie')
  @RouteConfig({ ...TAKES_FORMS, holdsCredential: true })
  async enter(
    @Param('token') token: string,
    @CommandSource() source: CommandSource,
  ): Promise<ShopAnswer<EnteredDto>> {
    const { cookie, csrf } = await this.commands.execute(new EnterShop({ token, source }));
    const headers = { ...this.cookie.write(cookie), 'referrer-policy': 'no-referrer' };
    return changed({ csrf }, '/shop', headers);
  }

  /** Ends the session, wherever its cookie is (rules/webshop 1). */
  @PostOk('sign-out')
  @ChangesShop(CHANGE)
  @ApiSecurity('session')
  @ApiNoContentResponse()
  @AnswersWith('Set-Cookie')
  async signOut(
    @Body() _body: SignOutBody,
    @Visit() { visitor, source }: Visit,
  ): Promise<ShopAnswer<null>> {
    await this.commands.execute(new SignOut({ visitor, source }));
    return changed(null, '/shop/signed-out', this.cookie.clear());
  }

  /** The page of a player who has signed out. */
  @Get('signed-out')
  @ApiExcludeEndpoint()
  signedOut(@VisitorLocale() locale: PageLocale): ShopAnswer {
    return shown(
      () => ({}),
      () => renderNotice('signedOut', locale),
    );
  }
}
