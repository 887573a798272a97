import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint, ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { CommandSource } from '#nest';
import { Refuses } from '#openapi';
import { readRefusalReason } from '../links/refusal.js';
import { ForProgram, ProgramQueryGuard } from '../http/wants-json.js';
import { TAKES_FORMS } from '../http/form-body.js';
import { PageInterceptor } from '../http/page.interceptor.js';
import { seeOther } from '../http/see-other.js';
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
@ApiTags('sandbox')
@Controller('checkout/:linkId/challenge/:paymentId')
export class BankController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** The page where a player confirms or declines; once that is done, it says so. */
  @Get()
  @ApiExcludeEndpoint()
  @RouteConfig({ holdsCredential: true })
  @UseInterceptors(PageInterceptor)
  async page(
    @Param('linkId') linkId: string,
    @Param('paymentId') paymentId: string,
    @Headers('accept-language') acceptLanguage = '',
  ): Promise<RenderedPage> {
    return this.queries.execute(new ShowBankPage({ linkId, paymentId, acceptLanguage }));
  }

  /**
   * Decides at the sandbox's bank, once, by the form of its page at `challengeUrl`. Then the checkout has the outcome.
   * A form leads back there, which tells it; to the bank's own page where that fails.
   */
  @Post()
  @Refuses('CHALLENGE_NOT_FOUND', 'CHECKOUT_LINK_NOT_FOUND', 'TOO_MANY_UNKNOWN_LINKS')
  @HttpCode(204)
  @ApiNoContentResponse()
  @UseGuards(ProgramQueryGuard)
  @RouteConfig(TAKES_FORMS)
  async decide(
    @Param('linkId') linkId: string,
    @Param('paymentId') paymentId: string,
    @Body() { decision }: DecisionBody,
    @CommandSource() source: CommandSource,
    @ForProgram() isForProgram: boolean,
  ): Promise<object | undefined> {
    const isAccepted = decision === 'accept';
    const checkout = `/checkout/${encodeURIComponent(linkId)}`;
    try {
      await this.commands.execute(new DecideChallenge({ linkId, paymentId, isAccepted, source }));
      return isForProgram ? undefined : seeOther(checkout);
    } catch (error) {
      if (isForProgram) throw error;
      readRefusalReason(error);
      // The page tells in the player's language that it is not there, or asks again.
      return seeOther(`${checkout}/challenge/${encodeURIComponent(paymentId)}`);
    }
  }
}
