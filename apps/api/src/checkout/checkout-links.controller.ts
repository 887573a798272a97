import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_SEGMENT } from '#domain/app';
import { addMilliseconds } from '#domain/calendar';
import { CHECKOUT_LINK_LIFETIME_MS, checkoutLinkAggregate } from '#domain/checkout-link';
import type { Instant, Position } from '#domain/event';
import {
  calendarViolations,
  type CreatedPlan,
  isAvailable,
  planAggregate,
  planCodeAggregate,
  planCodeId,
  priceIn,
} from '#domain/plan';
import { isOneLine, isPlainText } from '#domain/text';
import type { CommandExecutor } from '#event-store';
import type { PaymentGateways } from '#gateway';
import {
  appCallerOf,
  CLOCK,
  COMMAND_EXECUTOR,
  CommandContexts,
  type FieldViolation,
  gatewayNotConfigured,
  invalidFields,
  notFound,
  rejected,
  setConsistencyToken,
} from '#nest';
import type { Clock } from '#platform';
import { ApiCreationHeaders, Callers } from '../auth/callers.decorator.js';
import { Creations } from '../commands/creations.js';
import { RunCommand } from '../commands/run-command.js';
import type { ApiConfig } from '../config.js';
import { CONFIG, GATEWAYS } from '../tokens.js';
import { CheckoutLinkDto, CreateCheckoutLinkBody } from './checkout-link.dto.js';
import { requireReturnUrl } from './return-url.js';

/** Metadata travels in every payment and webhook: it is for references, not for documents. */
const MAX_METADATA_FIELDS = 50;
const MAX_METADATA_CHARACTERS = 500;

@ApiTags('checkout')
@Callers('app')
@ApiCreationHeaders()
@Controller('sdk/subscriptions/checkout-links')
export class CheckoutLinksController {
  constructor(
    private readonly bus: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly creations: Creations,
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: ApiConfig,
  ) {}

  /** Makes a link to a hosted page where one player buys one plan, once, within 24 hours (rules/payments 10). */
  @Post()
  @HttpCode(200)
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: CreateCheckoutLinkBody,
  ): Promise<CheckoutLinkDto> {
    requireWellFormed(body);
    const { appId } = appCallerOf(request);
    const keyed = await this.contexts.withIdempotency(request, appId);
    requireReturnUrl(body.returnUrl, keyed.environment);
    const repeated = await this.creations.repeated('cl', keyed, reply);
    const made = repeated && (await this.positionOf(repeated.id));
    if (repeated && made) return this.answer(reply, repeated.id, made);
    if (this.gateways.of(keyed.environment) === undefined) throw gatewayNotConfigured();
    const offer = await this.offerFor(appId, body, keyed.now);
    const creation = repeated ?? (await this.creations.begin('cl', keyed, reply));
    const link = {
      linkId: creation.id,
      appId,
      externalAccountId: body.user.id,
      offer,
      regionCode: body.regionCode ?? '',
      language: body.language ?? '',
      returnUrl: body.returnUrl ?? '',
      referenceId: body.referenceId ?? '',
      metadata: body.metadata ?? {},
      createdAt: creation.at,
      expiresAt: addMilliseconds(this.clock.now(), CHECKOUT_LINK_LIFETIME_MS),
    };
    const { position } = await this.bus.execute(
      new RunCommand(
        checkoutLinkAggregate,
        creation.id,
        { kind: 'CreateCheckoutLink', link },
        { ...creation.context, externalAccountId: body.user.id },
        { what: 'checkout link' },
      ),
    );
    return this.answer(reply, creation.id, position);
  }

  private answer(reply: FastifyReply, id: string, position: Position | null): CheckoutLinkDto {
    setConsistencyToken(reply, position);
    return { id, url: `${this.config.storefrontUrl}/checkout/${id}` };
  }

  /** Where the event of a link's creation stands; null when a crash came before it. */
  private async positionOf(linkId: string): Promise<Position | null> {
    const created = { toRevision: 0 };
    return (await this.commands.load(checkoutLinkAggregate, linkId, created)).position;
  }

  /** What the plan offers now. @throws ApiError when it is not for sale, or not in this currency. */
  private async offerFor(appId: string, body: CreateCheckoutLinkBody, now: Instant) {
    const plan = await this.planFor(appId, body);
    const price = priceIn(plan, body.currency);
    if (price === undefined) throw noPrice(body.currency);
    if (!isAvailable(plan, now)) throw rejected({ code: 'plan/not_available' });
    if (calendarViolations(plan, now).length > 0) throw endsTooLate();
    return {
      planId: plan.planId,
      planName: plan.name,
      planDescription: plan.description,
      price,
      period: plan.billingPeriod,
      trial: plan.trial,
    };
  }

  /** The plan as the store has it: what is sold must not hang on a read model that lags. */
  private async planFor(appId: string, body: CreateCheckoutLinkBody): Promise<CreatedPlan> {
    const { code, id } = body.plan;
    const planId =
      id ?? (await this.planIdOf(appId, body.segmentId ?? DEFAULT_SEGMENT, code ?? ''));
    const { state: plan } = await this.commands.load(planAggregate, planId);
    const isOther =
      plan.status === 'none' ||
      plan.appId !== appId ||
      (body.segmentId !== undefined && plan.segmentId !== body.segmentId);
    if (isOther) throw notFound('plan', code ?? planId, code === undefined ? 'id' : 'code');
    return plan;
  }

  private async planIdOf(appId: string, segmentId: string, code: string): Promise<string> {
    const { state } = await this.commands.load(
      planCodeAggregate,
      planCodeId(appId, segmentId, code),
    );
    if (state.status === 'free') throw notFound('plan', code, 'code');
    return state.planId;
  }
}

function requireWellFormed({ plan, metadata = {} }: CreateCheckoutLinkBody): void {
  const violations: FieldViolation[] = [];
  if ((plan.code === undefined) === (plan.id === undefined)) {
    violations.push({ field: 'plan', description: 'must have exactly one of code and id' });
  }
  const entries = Object.entries(metadata);
  const isBad = ([name, value]: [string, unknown]) =>
    typeof value !== 'string' ||
    name.length + value.length > MAX_METADATA_CHARACTERS ||
    !isOneLine(name) ||
    !isPlainText(value);
  if (entries.length > MAX_METADATA_FIELDS || entries.some(isBad)) {
    const description = `must hold at most ${MAX_METADATA_FIELDS} strings of at most ${MAX_METADATA_CHARACTERS} characters, without control characters`;
    violations.push({ field: 'metadata', description });
  }
  if (violations.length > 0) throw invalidFields(violations);
}

function endsTooLate() {
  return invalidFields([
    { field: 'plan', description: 'its first period would end after the year 9999' },
  ]);
}

function noPrice(currency: string) {
  return invalidFields([
    { field: 'currency', description: `the plan has no price in ${currency}` },
  ]);
}
