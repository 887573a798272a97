import { addMilliseconds, parseInstant } from '#domain/calendar';
import type { Instant } from '#domain/event';
import type { ResentMessage } from '#domain/webhook-endpoint';
import { cut, type FieldViolation, invalidFields } from '#nest/errors';
import { SELECTORS } from '#webhooks';
import type { ResendWebhooksBody } from './resend.dto.js';

/** The messages of the endpoint for events from one instant until before another, by the app's clock. */
export interface ResentRange {
  readonly since: Instant;
  readonly until: Instant;
  /** Types and wildcards; empty: all that the endpoint takes. */
  readonly types: readonly string[];
}

/** The place of an event. */
export type EventPlace = Pick<ResentMessage, 'streamName' | 'revision'>;

/** The messages that a request asks to be sent again. */
export type ResendPlan =
  | {
      readonly kind: 'message';
      readonly messageId: string;
      /** The place of its event; undefined where it has to be found. */
      readonly place: EventPlace | undefined;
    }
  | { readonly kind: 'range'; readonly range: ResentRange }
  | { readonly kind: 'failed' };

/** All events of a range are read: a longer one is asked for in parts. */
const MAX_RANGE_DAYS = 31;
const DAY_MS = 86_400_000;

/**
 * Which one of the three a body asks for (rules/webhooks 13).
 *
 * @param now of the app: events are dated by its clock. @throws ApiError 3 with every bad field.
 */
export function planResend(body: ResendWebhooksBody, now: Instant): ResendPlan {
  const { webhookId, since, until, types, failed, pageToken } = body;
  const ofRange = { since, until, types, pageToken };
  const isRange = Object.values(ofRange).some((field) => field !== undefined);
  const asked = [webhookId !== undefined, isRange, failed === true].filter(Boolean).length;
  if (asked !== 1) {
    const description = 'give one of webhookId, since (with until and types) and failed';
    throw invalidFields([{ field: 'webhookId', description }]);
  }
  const place = planPlace(body);
  if (webhookId !== undefined) return { kind: 'message', messageId: webhookId, place };
  return isRange ? { kind: 'range', range: planRange(body, now) } : { kind: 'failed' };
}

/** Both or none, and of one message. */
function planPlace({ webhookId, streamName, revision }: ResendWebhooksBody) {
  if (streamName === undefined && revision === undefined) return undefined;
  if (webhookId !== undefined && streamName !== undefined && revision !== undefined) {
    return { streamName, revision };
  }
  const description = 'give webhookId, streamName and revision of one message';
  throw invalidFields([{ field: 'streamName', description }]);
}

/** The future holds nothing to be sent again: new messages are sent anyway. */
function planRange({ since, until, types = [] }: ResendWebhooksBody, now: Instant): ResentRange {
  const violations = violationsOfTypes(types);
  const asked = until === undefined ? now : parseInstant(until);
  const end = asked !== undefined && asked < now ? asked : now;
  const begin = since === undefined ? undefined : parseInstant(since);
  if (begin === undefined) {
    violations.push({ field: 'since', description: 'is needed for a time' });
  } else if (begin >= end) {
    const field = begin >= now ? 'since' : 'until';
    violations.push({ field, description: `must be such that since lies before until and now` });
  } else if (end > addMilliseconds(begin, MAX_RANGE_DAYS * DAY_MS)) {
    const description = `must lie at most ${MAX_RANGE_DAYS} days behind since`;
    violations.push({ field: 'until', description });
  }
  if (begin !== undefined && violations.length === 0) return { since: begin, until: end, types };
  throw invalidFields(violations);
}

function violationsOfTypes(types: readonly string[]): FieldViolation[] {
  return types.flatMap((type, index) => {
    if (SELECTORS.includes(type)) return [];
    const description = `${JSON.stringify(cut(type))} is no type and no wildcard of webhooks`;
    return [{ field: `types.${index}`, description }];
  });
}
