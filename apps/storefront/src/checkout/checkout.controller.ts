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
import {
  ApiAcceptedResponse,
  ApiExcludeEndpoint,
  ApiHeader,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import { type BodyConfig, CommandSource, KnownQueryGuard, PostOk } from '#nest';
import { AnswersWith, Refuses } from '#openapi';
import { ForProgram, ProgramQueryGuard } from '../http/wants-json.js';
import { TAKES_FORMS } from '../http/form-body.js';
import { PageInterceptor } from '../http/page.interceptor.js';
import { seeOther } from '../http/see-other.js';
import { CameFrom, type PlayerOrigin } from '../origin/player-origin.js';
import type { RenderedPage } from '../pages/render-page.js';
import { AttemptCheckoutHandler } from './attempt-checkout.handler.js';
import { AwaitOutcomeHandler } from './await-outcome.handler.js';
import {
  CanceledOrderDto,
  CompleteCheckoutBody,
  CompletedCheckoutDto,
  PaymentFormBody,
  PendingCheckoutDto,
} from './checkout.dto.js';
import { CheckoutPageHandler, ShowCheckoutPage } from './checkout-page.handler.js';
import { leadOn, withFormKey } from './link-forms.js';
import { LinkPayments } from './link-payments.js';
import { answerOutcome } from './outcome-answer.js';
import { PaymentChecks } from './payment-checks.js';
import { CancelOrder, CancelOrderHandler } from '../order/cancel-order.handler.js';
import { OpenOrder, OpenOrderHandler } from '../order/open-order.handler.js';
import { OrderPageHandler } from '../order/order-page.handler.js';
import { PayOrderHandler } from '../order/pay-order.handler.js';

/** Every caller can send it, and it has few fields. */
const COMPLETE_BODY: BodyConfig = { maxValues: 100 };

const IDEMPOTENCY_KEY = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description: 'The same key and the same body are one attempt, and get its outcome.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
});

/** The use cases behind the endpoints; the module provides them. */
export const CHECKOUT_HANDLERS = [
  AttemptCheckoutHandler,
  AwaitOutcomeHandler,
  CheckoutPageHandler,
  CancelOrderHandler,
  OpenOrderHandler,
  OrderPageHandler,
  PayOrderHandler,
];

/** The hosted page of a checkout link. The link's id is the only credential that it takes. */
@ApiTags('checkout')
@Controller('checkout')
export class CheckoutController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly payments: LinkPayments,
  ) {}

  /** The page where a player sees the plan, pays, and is shown the outcome (rules/payments 11). */
  @Get(':linkId')
  @ApiExcludeEndpoint()
  @RouteConfig({ holdsCredential: true })
  @UseInterceptors(PageInterceptor)
  async page(
    @Param('linkId') linkId: string,
    @Headers('accept-language') acceptLanguage = '',
    @Query('refusal') refusal: unknown = '',
    @CommandSource() source: CommandSource,
    @CameFrom() origin: PlayerOrigin,
  ): Promise<RenderedPage> {
    const reason = typeof refusal === 'string' ? refusal : '';
    const page = new ShowCheckoutPage({ linkId, acceptLanguage, refusal: reason, origin, source });
    return this.queries.execute(page);
  }

  /**
   * Pays for the offer of a link. The answer is the subscription or the order; 202 while the payment is on its way, or
   * waits for the player at the bank: the same request with its `Idempotency-Key` waits once more, and the page of the
   * link tells the outcome. The answer for a paid link has its purchase. With the key, the same request makes one
   * attempt and gets the outcome of that one, a decline too (rules/payments 3).
   */
  @PostOk(':linkId/complete')
  @Refuses(
    'AMOUNT_CHANGED',
    'CATALOG_UNAVAILABLE',
    'CHARGE_PENDING',
    'CHECKOUT_LINK_EXPIRED',
    'CHECKOUT_LINK_LOCKED',
    'CHECKOUT_LINK_NOT_FOUND',
    'CHECKOUT_LINK_PAUSED',
    'CURRENCY_CHANGED',
    'CURRENCY_CHANGING',
    'GATEWAY_NOT_CONFIGURED',
    'ITEM_UNAVAILABLE',
    'ORDER_CANCELED',
    'ORDER_NOT_FREE',
    'ORDER_PAID',
    'PAYMENT_DECLINED',
    'PAYMENT_NOT_FOUND',
    'PAYMENT_NOT_REFUNDABLE',
    'PAYMENT_PENDING',
    'PLAN_ALREADY_HELD',
    'PLAN_NOT_AVAILABLE',
    'PLAN_UNCHANGED',
    'PLAYER_ERASED',
    'QUANTITY_EXCEEDED',
    'REFUND_EXCEEDS_REMAINING',
    'REFUND_NOT_FOUND',
    'REVISION_MISMATCH',
    'SUBSCRIPTION_CANCELED',
    'SUBSCRIPTION_CHANGED',
    'SUBSCRIPTION_EXPIRED',
    'TOO_MANY_IDEMPOTENCY_KEYS',
    'TOO_MANY_REFUNDS',
    'TOO_MANY_UNKNOWN_LINKS',
    'TRIAL_ALREADY_TAKEN',
    'UNUSED_CREDIT',
    'UNUSED_CREDIT_NOT_REFUNDABLE',
  )
  @IDEMPOTENCY_KEY
  @AnswersWith('x-consistency-token', 'Idempotency-Replayed')
  @ApiOkResponse({ type: CompletedCheckoutDto })
  @ApiAcceptedResponse({ type: PendingCheckoutDto })
  @UseGuards(KnownQueryGuard)
  @UseInterceptors(PaymentChecks)
  @RouteConfig(COMPLETE_BODY)
  async complete(
    @Param('linkId') linkId: string,
    @Body() body: CompleteCheckoutBody,
    @CommandSource() source: CommandSource,
    @CameFrom() origin: PlayerOrigin,
  ): Promise<CompletedCheckoutDto | PendingCheckoutDto> {
    const { emailMarketingOptIn = false } = body;
    const choice = { ...chosen(body), emailMarketingOptIn, origin };
    return answerOutcome(await this.payments.pay(linkId, choice, source));
  }

  /** Pays without a script: the form leads back to the page, which tells the outcome. */
  @Post(':linkId/pay')
  @ApiExcludeEndpoint()
  @RouteConfig(TAKES_FORMS)
  @Redirect('', 303)
  payByForm(
    @Param('linkId') linkId: string,
    @Body() body: PaymentFormBody,
    @CommandSource() source: CommandSource,
    @CameFrom() origin: PlayerOrigin,
  ): Promise<{ url: string }> {
    return leadOn(linkId, async (page) => {
      const emailMarketingOptIn = body.emailMarketingOptIn === 'true';
      const choice = { ...chosen(body), emailMarketingOptIn, origin };
      const { outcome } = await this.payments.pay(linkId, choice, withFormKey(source, body));
      return outcome.kind === 'challenge' ? chooseStep(outcome.url, page) : undefined;
    });
  }

  /** The page's script tells that a browser shows the page, where the request of the page did not say so. */
  @Post(':linkId/opened')
  @ApiExcludeEndpoint()
  @HttpCode(204)
  async opened(
    @Param('linkId') linkId: string,
    @CommandSource() source: CommandSource,
    @CameFrom() origin: PlayerOrigin,
  ): Promise<void> {
    await this.commands.execute(new OpenOrder({ linkId, origin, source }));
  }

  /** Ends an order that is not paid; a form leads back to its page, which tells so (rules/orders 5). */
  @PostOk(':linkId/cancel')
  @Refuses(
    'CHECKOUT_LINK_EXPIRED',
    'CHECKOUT_LINK_NOT_FOUND',
    'ORDER_PAID',
    'PAYMENT_PENDING',
    'TOO_MANY_UNKNOWN_LINKS',
  )
  @AnswersWith('x-consistency-token')
  @ApiOkResponse({ type: CanceledOrderDto })
  @UseGuards(ProgramQueryGuard)
  @RouteConfig({ ...TAKES_FORMS, ...COMPLETE_BODY })
  async cancel(
    @Param('linkId') linkId: string,
    @CommandSource() source: CommandSource,
    @CameFrom() origin: PlayerOrigin,
    @ForProgram() isForProgram: boolean,
  ): Promise<CanceledOrderDto | object> {
    const cancel = () =>
      this.commands.execute(new CancelOrder({ linkId, address: origin.address, source }));
    if (isForProgram) return cancel();
    const { url } = await leadOn(linkId, async () => {
      await cancel();
      return undefined;
    });
    return seeOther(url);
  }
}

function chosen({
  paymentMethod,
  amountCents,
  quotedAt,
}: Pick<CompleteCheckoutBody, 'paymentMethod' | 'amountCents' | 'quotedAt'>) {
  return { paymentMethod, amountCents, quotedAt };
}

/**
 * The target of a form whose payment is to be confirmed. Browsers let our forms lead to our own pages alone
 * (rules/storefront 6): the sandbox's bank is one of them, any other is a link on the page of the checkout.
 */
function chooseStep(challengeUrl: string, page: string): string {
  const { pathname } = new URL(challengeUrl);
  return pathname.startsWith(`${page}/challenge/`) ? pathname : page;
}
