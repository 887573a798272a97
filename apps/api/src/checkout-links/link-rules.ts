import type { Environment } from '#domain/event';
import { hasLength, isOneLine, isPlainText } from '#domain/text';
import type { FieldViolation, WellFormed } from '#nest';
import type { CreateCheckoutLinkBody, PlanReferenceDto } from './checkout-link.dto.js';
import { returnUrlViolations } from './return-url.js';

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
