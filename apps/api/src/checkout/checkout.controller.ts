import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiAcceptedResponse,
  ApiExcludeEndpoint,
  ApiOkResponse,
  ApiProduces,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BodyConfig, KnownQueryGuard, setConsistencyToken } from '#nest';
import { ApiCreationHeaders } from '../auth/callers.decorator.js';
import { CheckoutService } from './checkout.service.js';
import { CompleteCheckoutBody, CompletedCheckoutDto } from './checkout-link.dto.js';
import { CHECKOUT_SCRIPT } from './checkout-script.js';
import { PAGE_SECURITY } from './page-layout.js';

const HTML = { type: 'string' };
/** Anybody can send it, and it has one field. */
const COMPLETE_BODY: BodyConfig = { maxValues: 100 };

@ApiTags('checkout')
@Controller('checkout')
export class CheckoutController {
  constructor(private readonly checkout: CheckoutService) {}

  /** The script of the page: served apart, so that the page can forbid all inline ones. */
  @Get('assets/checkout.js')
  @ApiExcludeEndpoint()
  @Header('content-type', 'text/javascript; charset=utf-8')
  @Header('cache-control', 'public, max-age=300')
  script(): string {
    return CHECKOUT_SCRIPT;
  }

  /** The hosted page where a player sees the plan, pays, and is told the outcome (decisions 11). */
  @Get(':linkId')
  @RouteConfig({ holdsCredential: true })
  @ApiProduces('text/html')
  @ApiOkResponse({ schema: HTML })
  @ApiResponse({ status: '4XX', description: 'There is no such link.', schema: HTML })
  @ApiResponse({ status: '5XX', description: 'The page cannot be shown just now.', schema: HTML })
  async page(@Param('linkId') linkId: string, @Res() reply: FastifyReply): Promise<void> {
    const { status, html } = await this.checkout.page(linkId);
    await reply.status(status).headers(PAGE_SECURITY).send(html);
  }

  /**
   * Pays: the page's own call. It is answered with the subscription (decisions 11); 202 while the
   * payment is on its way: the page of the link then tells the outcome. A link that was paid is
   * answered with its subscription again. With an `Idempotency-Key`, the same request makes one
   * attempt and tells what became of that one, a decline too (rules/payments 3).
   */
  @Post(':linkId/complete')
  @HttpCode(200)
  @UseGuards(KnownQueryGuard)
  @RouteConfig(COMPLETE_BODY)
  @ApiCreationHeaders()
  @ApiOkResponse({ type: CompletedCheckoutDto })
  @ApiAcceptedResponse({ type: CompletedCheckoutDto })
  async complete(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('linkId') linkId: string,
    @Body() body: CompleteCheckoutBody,
  ): Promise<CompletedCheckoutDto> {
    const attempt = await this.checkout.attempt(request, linkId, body.paymentMethod);
    if (attempt.replayed) reply.header('idempotency-replayed', 'true');
    const outcome = await this.checkout.outcomeOf(linkId, attempt.number);
    if (outcome.kind === 'pending') {
      reply.status(202);
      return { status: 'pending' };
    }
    setConsistencyToken(reply, outcome.position);
    return { subscriptionId: outcome.subscriptionId, status: outcome.status };
  }
}
