import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  APP_DIRECTORY,
  appCallerOf,
  type BodyConfig,
  CommandContexts,
  consistencyTokenOf,
  rejected,
} from '#nest';
import type { PriceBooks } from '#price-books';
import type { AppDirectory } from '#tenancy';
import { Callers } from '../auth/callers.decorator.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { PRICE_BOOKS } from '../tokens.js';
import { readConversionBody } from './conversion-body.js';
import { ConversionBody, ConversionDto } from './conversion.dto.js';
import { setProvenance } from './price-headers.js';

/** Equal bytes are equal requests: they are parsed only where they are new. */
const READS_BYTES: BodyConfig = { readsBytes: true };

@ApiTags('prices')
@Callers('app', 'apiKey')
@Controller('sdk/server/prices')
export class PricesController {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(PRICE_BOOKS) private readonly books: PriceBooks,
  ) {}

  /**
   * Converts prices of the uploaded price sheet for a country (rules/prices 7). The headers
   * `x-price-sheet-version`, `x-tax-rates-version` and `x-pricing-rule-version` name what the
   * amounts were made from.
   */
  @Post('convert')
  @HttpCode(200)
  @RouteConfig(READS_BYTES)
  @ApiBody({ type: ConversionBody })
  @ApiOkResponse({ type: ConversionDto })
  @AnswersWith('x-price-sheet-version', 'x-tax-rates-version', 'x-pricing-rule-version')
  @ApiHeader({
    name: 'x-consistency-token',
    required: false,
    description: 'The token of an earlier answer: the conversion knows that write.',
  })
  async convert(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const { appId } = appCallerOf(request);
    if (consistencyTokenOf(request) !== undefined) await this.books.refresh(appId);
    const now = this.apps.now(await this.contexts.appOf(appId));
    const bytes = request.rawBody ?? NOTHING;
    const outcome = await this.books.convert(appId, bytes, readConversionBody, now);
    if (!outcome.accepted) throw rejected(outcome.rejection);
    setProvenance(reply, outcome.provenance);
    reply.header('content-type', 'application/json; charset=utf-8');
    return outcome.body;
  }
}

/** A request without a body at all. */
const NOTHING = Buffer.alloc(0);
