import { Body, Controller, Get, Param, Post, Query, Redirect } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type { EnteredCard } from '#gateway';
import { CommandSource } from '#nest';
import { TAKES_FORMS } from '../http/form-body.js';
import { OrderLinks } from '../order/order-links.js';
import { AwaitOrderOutcome } from '../order/order-outcome.handler.js';
import { PayOrder } from '../order/pay-order.handler.js';
import { CameFrom, type PlayerOrigin } from '../origin/player-origin.js';
import { AttemptCheckout } from './attempt-checkout.handler.js';
import { BeginCardEntry, BeginCardEntryHandler } from './begin-card-entry.handler.js';
import { AwaitCheckoutOutcome } from './checkout-outcome.handler.js';
import { CardFormBody } from './checkout.dto.js';
import { FindEnteredCard, FindEnteredCardHandler } from './find-entered-card.handler.js';
import { withKey } from './form-key.js';
import { leadOn } from './lead-on.js';

/** The use cases behind the endpoints; the module provides them. */
export const CARD_ENTRY_HANDLERS = [BeginCardEntryHandler, FindEnteredCardHandler];

/** The way to the gateway's own page, where cards are entered, and back (rules/stripe 9). */
@ApiExcludeController()
@Controller('checkout')
export class CardEntryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly orders: OrderLinks,
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
      // One session is one attempt, however often a browser comes back with it.
      const keyed = withKey(source, `card-${id}`);
      if (this.orders.leadsToOrder(linkId)) await this.payOrder(linkId, card, origin, keyed);
      else await this.payLink(linkId, card, keyed);
      return undefined;
    });
  }

  private async payLink(
    linkId: string,
    { paymentMethod, details }: EnteredCard,
    keyed: CommandSource,
  ): Promise<void> {
    const { amountCents, quotedAt } = details;
    const choice = { paymentMethod, amountCents, quotedAt, isEnteredAtGateway: true };
    const { attempt } = await this.commands.execute(
      new AttemptCheckout({ linkId, choice, source: keyed }),
    );
    await this.queries.execute(new AwaitCheckoutOutcome(linkId, attempt));
  }

  private async payOrder(
    linkId: string,
    { paymentMethod, details }: EnteredCard,
    origin: PlayerOrigin,
    keyed: CommandSource,
  ): Promise<void> {
    const { amountCents, emailMarketingOptIn: ticked } = details;
    const choice = { paymentMethod, amountCents, emailMarketingOptIn: ticked === 'true', origin };
    const entered = { ...choice, isEnteredAtGateway: true };
    const { attempt } = await this.commands.execute(
      new PayOrder({ linkId, choice: entered, source: keyed }),
    );
    await this.queries.execute(new AwaitOrderOutcome(linkId, attempt));
  }
}
