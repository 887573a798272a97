import {
  Body,
  Controller,
  Get,
  Headers,
  Param,
  Post,
  Redirect,
  UseInterceptors,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { CommandSource } from '#nest';
import { readRefusalReason } from '../links/refusal.js';
import { TAKES_FORMS } from '../http/form-body.js';
import { PageInterceptor } from '../http/page.interceptor.js';
import type { RenderedPage } from '../pages/render-page.js';
import { BankPageHandler, ShowBankPage } from './bank-page.handler.js';
import { DecisionBody } from './bank.dto.js';
import { DecideChallenge, DecideChallengeHandler } from './decide-challenge.handler.js';

/** The use cases behind the endpoints; the module provides them. */
export const BANK_HANDLERS = [BankPageHandler, DecideChallengeHandler];

/**
 * The bank of the sandbox's cards, which may want a player to confirm (rules/payments 19). Its pages lie below
 * that of the checkout, whose address is the only credential that they take.
 */
@Controller('checkout/:linkId/challenge/:paymentId')
export class BankController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** The page where a player confirms or declines; once that is done, it says so. */
  @Get()
  @RouteConfig({ holdsCredential: true })
  @UseInterceptors(PageInterceptor)
  async page(
    @Param('linkId') linkId: string,
    @Param('paymentId') paymentId: string,
    @Headers('accept-language') acceptLanguage = '',
  ): Promise<RenderedPage> {
    return this.queries.execute(new ShowBankPage(linkId, paymentId, acceptLanguage));
  }

  /** Decides, once, and leads back to the checkout, which tells the outcome; to its own page where that fails. */
  @Post()
  @RouteConfig(TAKES_FORMS)
  @Redirect('', 303)
  async decide(
    @Param('linkId') linkId: string,
    @Param('paymentId') paymentId: string,
    @Body() { decision }: DecisionBody,
    @CommandSource() source: CommandSource,
  ): Promise<{ url: string }> {
    const isAccepted = decision === 'accept';
    const checkout = `/checkout/${encodeURIComponent(linkId)}`;
    try {
      await this.commands.execute(new DecideChallenge(linkId, paymentId, isAccepted, source));
      return { url: checkout };
    } catch (error) {
      readRefusalReason(error);
      // The page tells in the player's language that it is not there, or asks again.
      return { url: `${checkout}/challenge/${encodeURIComponent(paymentId)}` };
    }
  }
}
