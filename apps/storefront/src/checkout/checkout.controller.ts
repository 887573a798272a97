import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Query,
  Redirect,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type BodyConfig, CommandSource, KnownQueryGuard } from '#nest';
import { TAKES_FORMS } from '../http/form-body.js';
import { PageInterceptor } from '../http/page.interceptor.js';
import type { RenderedPage } from '../pages/render-page.js';
import { AttemptCheckout, AttemptCheckoutHandler } from './attempt-checkout.handler.js';
import { answerCheckout, type CheckoutResult } from './checkout-answer.js';
import { CompleteCheckoutBody, type CompletedCheckout, PaymentFormBody } from './checkout.dto.js';
import { AwaitCheckoutOutcome, CheckoutOutcomeHandler } from './checkout-outcome.handler.js';
import { CheckoutPageHandler, ShowCheckoutPage } from './checkout-page.handler.js';
import { withFormKey } from './form-key.js';
import { leadOn } from './lead-on.js';

/** Every caller can send it, and it has few fields. */
const COMPLETE_BODY: BodyConfig = { maxValues: 100 };

/** The use cases behind the endpoints; the module provides them. */
export const CHECKOUT_HANDLERS = [
  AttemptCheckoutHandler,
  CheckoutOutcomeHandler,
  CheckoutPageHandler,
];

/** The hosted page of a checkout link. The link's id is the only credential that it takes. */
@Controller('checkout')
export class CheckoutController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** The page where a player sees the plan, pays, and is shown the outcome (rules/payments 11). */
  @Get(':linkId')
  @RouteConfig({ holdsCredential: true })
  @UseInterceptors(PageInterceptor)
  async page(
    @Param('linkId') linkId: string,
    @Headers('accept-language') acceptLanguage = '',
    @Query('refusal') refusal: unknown = '',
  ): Promise<RenderedPage> {
    const reason = typeof refusal === 'string' ? refusal : '';
    return this.queries.execute(new ShowCheckoutPage(linkId, acceptLanguage, reason));
  }

  /**
   * Pays: the call of the page's script. The answer is the subscription; 202 while the payment is on its
   * way, or waits for the player at the bank: the page of the link then tells the outcome. A link that was paid is answered with its
   * subscription again. With an `Idempotency-Key`, the same request makes one attempt and gets what
   * became of that one, a decline too (rules/payments 3).
   */
  @Post(':linkId/complete')
  @HttpCode(200)
  @UseGuards(KnownQueryGuard)
  @RouteConfig(COMPLETE_BODY)
  async complete(
    @Param('linkId') linkId: string,
    @Body() body: CompleteCheckoutBody,
    @CommandSource() source: CommandSource,
  ): Promise<CompletedCheckout> {
    return answerCheckout(await this.pay(linkId, body, source));
  }

  /** Pays without a script: the form leads back to the page, which tells what came of it. */
  @Post(':linkId/pay')
  @RouteConfig(TAKES_FORMS)
  @Redirect('', 303)
  payByForm(
    @Param('linkId') linkId: string,
    @Body() body: PaymentFormBody,
    @CommandSource() source: CommandSource,
  ): Promise<{ url: string }> {
    return leadOn(linkId, async (page) => {
      const { outcome } = await this.pay(linkId, body, withFormKey(source, body));
      return outcome.kind === 'challenge' ? chooseStep(outcome.url, page) : undefined;
    });
  }

  private async pay(
    linkId: string,
    { paymentMethod, amountCents, quotedAt }: CompleteCheckoutBody,
    source: CommandSource,
  ): Promise<CheckoutResult> {
    const { attempt, replayed } = await this.commands.execute(
      new AttemptCheckout(linkId, { paymentMethod, amountCents, quotedAt }, source),
    );
    const outcome = await this.queries.execute(new AwaitCheckoutOutcome(linkId, attempt));
    return { outcome, replayed };
  }
}

/**
 * Where a form leads to whose payment is to be confirmed. Browsers let our forms lead to our own pages alone
 * (rules/storefront 6): the sandbox's bank is one of them, any other is a link on the page of the checkout.
 */
function chooseStep(challengeUrl: string, page: string): string {
  const { pathname } = new URL(challengeUrl);
  return pathname.startsWith(`${page}/challenge/`) ? pathname : page;
}
