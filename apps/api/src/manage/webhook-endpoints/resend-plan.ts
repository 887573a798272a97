import { addMilliseconds, parseInstant } from '#domain/calendar';
import type { Instant } from '#domain/event';
import type { ResentRange } from '#domain/webhook-endpoint';
import { cut, type FieldViolation, invalidFields } from '#nest/errors';
import { SELECTORS } from '#webhooks';
import type { ResendWebhooksBody } from './resend.dto.js';

/** What a request asks to be sent again. */
export type ResendPlan =
  | { readonly kind: 'message'; readonly messageId: string }
  | { readonly kind: 'range'; readonly range: ResentRange }
  | { readonly kind: 'failed' };

/** All events of a range are read: a longer one is asked for in parts. */
const MAX_RANGE_DAYS = 31;
const DAY_MS = 86_400_000;

/**
 * Which one of the three a body asks for (rules/webhooks 7).
 *
 * @param now of the app: events are dated by its clock. @throws ApiError 3 with every bad field.
 */
export function planResend(body: ResendWebhooksBody, now: Instant): ResendPlan {
  const { messageId, from, until, types, failed } = body;
  const ofRange = { from, until, types };
  const isRange = Object.values(ofRange).some((field) => field !== undefined);
  const asked = [messageId !== undefined, isRange, failed === true].filter(Boolean).length;
  if (asked !== 1) {
    const description = 'give one of messageId, from (with until and types) and failed';
    throw invalidFields([{ field: 'messageId', description }]);
  }
  if (messageId !== undefined) return { kind: 'message', messageId };
  return isRange ? { kind: 'range', range: planRange(body, now) } : { kind: 'failed' };
}

/** The future holds nothing to be sent again: what comes is sent anyway. */
function planRange({ from, until, types = [] }: ResendWebhooksBody, now: Instant): ResentRange {
  const violations = violationsOfTypes(types);
  const asked = until === undefined ? now : parseInstant(until);
  const end = asked !== undefined && asked < now ? asked : now;
  const begin = from === undefined ? undefined : parseInstant(from);
  if (begin === undefined) {
    violations.push({ field: 'from', description: 'is needed for a time' });
  } else if (begin >= end) {
    const field = begin >= now ? 'from' : 'until';
    violations.push({ field, description: `must be such that from lies before until and now` });
  } else if (end > addMilliseconds(begin, MAX_RANGE_DAYS * DAY_MS)) {
    const description = `must lie at most ${MAX_RANGE_DAYS} days behind from`;
    violations.push({ field: 'until', description });
  }
  if (begin !== undefined && violations.length === 0) return { from: begin, until: end, types };
  throw invalidFields(violations);
}

function violationsOfTypes(types: readonly string[]): FieldViolation[] {
  return types.flatMap((type, index) => {
    if (SELECTORS.includes(type)) return [];
    const description = `${JSON.stringify(cut(type))} is no type and no wildcard of webhooks`;
    return [{ field: `types.${index}`, description }];
  });
}
