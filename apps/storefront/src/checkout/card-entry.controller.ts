import { Body, Controller, Get, Param, Post, Query, Redirect } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import { CommandSource } from '#nest';
import { TAKES_FORMS } from '../http/form-body.js';
import { CameFrom, type PlayerOrigin } from '../origin/player-origin.js';
import { BeginCardEntry, BeginCardEntryHandler } from './begin-card-entry.handler.js';
import { CardFormBody } from './checkout.dto.js';
import { FindEnteredCard, FindEnteredCardHandler } from './find-entered-card.handler.js';
import { leadOn, withKey } from './link-forms.js';
import { LinkPayments } from './link-payments.js';

/** The use cases behind the endpoints; the module provides them. */
export const CARD_ENTRY_HANDLERS = [BeginCardEntryHandler, FindEnteredCardHandler];

/** The way to the gateway's own page, where cards are entered, and back (rules/stripe 9). */
@ApiExcludeController()
@Controller('checkout')
export class CardEntryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly payments: LinkPayments,
  ) {}

  /** Leads to the gateway's page. Works without a script. */
  @Post(':linkId/card')
  @RouteConfig(TAKES_FORMS)
  @Redirect('', 303)
  begin(@Param('linkId') linkId: string, @Body() body: CardFormBody): Promise<{ url: string }> {
    return leadOn(linkId, () => this.commands.execute(new BeginCardEntry({ linkId, form: body })));
  }

  /** Back from there: pays by the entered method, and shows the page of the link, which tells the outcome. */
  @Get(':linkId/card')
  @RouteConfig({ holdsCredential: true })
  @Redirect('', 303)
  payByCard(
    @Param('linkId') linkId: string,
    @Query('session') session: unknown,
    @CameFrom() origin: PlayerOrigin,
    @CommandSource() source: CommandSource,
  ): Promise<{ url: string }> {
    return leadOn(linkId, async () => {
      const id = typeof session === 'string' ? session : '';
      const card = await this.queries.execute(new FindEnteredCard({ linkId, session: id }));
      const { paymentMethod, details } = card;
      const { amountCents, quotedAt, emailMarketingOptIn: ticked } = details;
      const agreed = { amountCents, quotedAt, emailMarketingOptIn: ticked === 'true', origin };
      const choice = { paymentMethod, ...agreed, isEnteredAtGateway: true };
      // One session is one attempt, however often a browser comes back with it.
      await this.payments.pay(linkId, choice, withKey(source, `card-${id}`));
      return undefined;
    });
  }
}
