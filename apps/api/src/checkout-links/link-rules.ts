import { hasLength, isOneLine, isPlainText } from '#domain/text';
import { type FieldViolation, invalidFields } from '#nest';
import type { CreateCheckoutLinkBody } from './checkout-link.dto.js';

/** Metadata travels in every payment and webhook: it is for references, not for documents. */
const MAX_METADATA_FIELDS = 50;
const MAX_METADATA_CHARACTERS = 500;
/** A name is read by programs; what it names may be a sentence. */
const MAX_METADATA_NAME_CHARACTERS = 100;

/** Checks what depends on several fields. @throws ApiError 3 with every bad field. */
export function requireWellFormed({ plan, metadata = {} }: CreateCheckoutLinkBody): void {
  const violations: FieldViolation[] = [];
  if ((plan.code === undefined) === (plan.id === undefined)) {
    violations.push({ field: 'plan', description: 'must have exactly one of code and id' });
  }
  violations.push(...metadataViolations(metadata));
  if (violations.length > 0) throw invalidFields(violations);
}

/** What is wrong with metadata that a studio attaches to a purchase, or to an item of one. */
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
