import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint, ApiNoContentResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { CommandSource } from '#nest';
import { AnswersWith } from '#openapi';
import type { PageLocale } from '../../languages/page-locale.js';
import { renderNotice } from '../../pages/render-page.js';
import { ProgramQueryGuard } from '../../http/program-query.guard.js';
import { CsrfGuard } from '../http/csrf.guard.js';
import { changed, type ShopAnswer, shown } from '../http/shop-answer.js';
import { ShopErrorFilter } from './shop-error.filter.js';
import { CHANGE } from '../http/shop-route.js';
import { ShopInterceptor } from '../http/shop.interceptor.js';
import { VisitorLocale } from '../http/visitor-locale.decorator.js';
import { EnterShop, EnterShopHandler } from '../session/enter-shop.js';
import { SessionCookie } from '../session/session-cookie.js';
import { SignOutBody } from '../session/session.dto.js';
import { SignOut, SignOutHandler } from '../session/sign-out.js';
import { Visit } from '../http/visit.decorator.js';

/** The use cases behind the endpoints; the module provides them. */
export const SESSION_HANDLERS = [EnterShopHandler, SignOutHandler];

/** The way into the shop, and out of it (rules/webshop 1). */
@ApiTags('session')
@Controller('shop')
@UseGuards(ProgramQueryGuard)
@UseInterceptors(ShopInterceptor)
@UseFilters(ShopErrorFilter)
export class SessionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly cookie: SessionCookie,
  ) {}

  /**
   * Opens a session by a link from the game, once. The cookie of the answer is the session. Who asks for the head alone
   * does not use the link up.
   */
  @Get('enter/:token')
  @ApiNoContentResponse()
  @AnswersWith('Set-Cookie')
  async enter(
    @Param('token') token: string,
    @CommandSource() source: CommandSource,
  ): Promise<ShopAnswer<null>> {
    const headers = { 'referrer-policy': 'no-referrer' };
    if (source.method === 'HEAD') return changed(null, '/shop', headers);
    const cookie = this.cookie.write(await this.commands.execute(new EnterShop(token, source)));
    return changed(null, '/shop', { ...cookie, ...headers });
  }

  /** Ends the session, wherever its cookie is (rules/webshop 1). */
  @Post('sign-out')
  @ApiSecurity('session')
  @ApiNoContentResponse()
  @AnswersWith('Set-Cookie')
  @HttpCode(200)
  @UseGuards(CsrfGuard)
  @RouteConfig(CHANGE)
  async signOut(
    @Body() _body: SignOutBody,
    @Visit() { visitor, source }: Visit,
  ): Promise<ShopAnswer<null>> {
    await this.commands.execute(new SignOut(visitor, source));
    return changed(null, '/shop/signed-out', this.cookie.clear());
  }

  /** What a player sees who has signed out. */
  @Get('signed-out')
  @ApiExcludeEndpoint()
  signedOut(@VisitorLocale() locale: PageLocale): ShopAnswer {
    return shown(
      () => ({}),
      () => renderNotice('signedOut', locale),
    );
  }
}
