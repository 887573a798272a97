import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Environment } from '#domain/event';
import { hasLength, isOneLine, isPlainText } from '#domain/text';
import { checkTarget } from '#egress';
import {
  CommandContexts,
  type FieldViolation,
  FurtherChecks,
  invalidFields,
  listBadFields,
  type WellFormed,
} from '#nest';
import type { CreateCheckoutLinkBody, PlanReferenceDto } from './checkout-link.dto.js';
import { CheckoutOffers } from './checkout-offers.js';

/** The parameters that the page adds to the query: a game that reads one of them would find two. */
const ADDED_PARAMETERS = ['checkout', 'id'];

/**
 * Players are sent back over https alone; in a test app also over http to the developer's own machine
 * (rules/storefront 4).
 */
export function returnUrlViolations(
  url: string | undefined,
  environment: Environment,
): FieldViolation[] {
  if (url === undefined) return [];
  const target = checkTarget(url, { allowInsecure: environment === 'test' });
  if (!target.ok) return [{ field: 'returnUrl', description: target.reason }];
  const { searchParams } = new URL(url);
  if (!ADDED_PARAMETERS.some((name) => searchParams.has(name))) return [];
  const description = 'its query has checkout or id, which the page adds';
  return [{ field: 'returnUrl', description }];
}

/** Metadata travels in every payment and webhook: it is for references, not for documents. */
const MAX_METADATA_FIELDS = 50;
const MAX_METADATA_CHARACTERS = 500;
/** A name is read by programs; its value may be a sentence. */
const MAX_METADATA_NAME_CHARACTERS = 100;

/** The errors in a link's body that depend on several fields, or on the app. */
export function checkoutLinkViolations(
  { plan, metadata = {}, returnUrl }: WellFormed<CreateCheckoutLinkBody>,
  environment: Environment,
): FieldViolation[] {
  return [
    ...planViolations(plan),
    ...metadataViolations(metadata),
    ...returnUrlViolations(returnUrl, environment),
  ];
}

/** The errors in the naming of a plan. */
export function planViolations(plan: WellFormed<PlanReferenceDto> | undefined): FieldViolation[] {
  if (plan === undefined || (plan.code === undefined) !== (plan.id === undefined)) return [];
  return [{ field: 'plan', description: 'must have exactly one of code and id' }];
}

/** The errors in metadata that a studio attaches to a purchase, or to an item of one. */
export function metadataViolations(
  metadata: Readonly<Record<string, unknown>>,
  field = 'metadata',
): FieldViolation[] {
  const entries = Object.entries(metadata);
  const isBad = ([name, value]: [string, unknown]) =>
    typeof value !== 'string' ||
    !hasLength(name, 1, MAX_METADATA_NAME_CHARACTERS) ||
    !hasLength(value, 0, MAX_METADATA_CHARACTERS) ||
    !isOneLine(name) ||
    !isPlainText(value);
  if (entries.length <= MAX_METADATA_FIELDS && !entries.some(isBad)) return [];
  const description = `must hold at most ${MAX_METADATA_FIELDS} strings of at most ${MAX_METADATA_CHARACTERS} characters, under names of 1 to ${MAX_METADATA_NAME_CHARACTERS}, without control characters`;
  return [{ field, description }];
}

/** The errors in the link of a subscription beside its bad fields (rules/api 12). */
@Injectable()
export class CheckoutLinkChecks extends FurtherChecks<CreateCheckoutLinkBody> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly offers: CheckoutOffers,
  ) {
    super();
  }

  protected async check(
    body: WellFormed<CreateCheckoutLinkBody>,
    request: FastifyRequest,
  ): Promise<void> {
    const { appId, environment, now } = await this.contexts.ofRequest(request);
    const { plan, currency, segmentId } = body;
    const found = checkoutLinkViolations(body, environment);
    const ofOffer = await listBadFields(async () => {
      if (plan === undefined || currency === undefined) return;
      await this.offers.find(appId, { plan, currency, ...(segmentId && { segmentId }) }, now);
    });
    throw invalidFields([...found, ...ofOffer]);
  }
}
