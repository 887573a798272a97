import { addMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import {
  coversEventType,
  type CreatedWebhookEndpoint,
  isRunning,
  type WebhookEndpoint,
} from '#domain/webhook-endpoint';

/** An endpoint gets nothing from before its time; clocks of two machines may differ by this. */
const CLOCK_TOLERANCE_MS = 60_000;

/** An endpoint that is not deleted, as it is now. */
export interface RunningEndpoint extends Omit<CreatedWebhookEndpoint, 'status'> {
  /** A disabled one holds its messages (rules/webhooks 7). */
  readonly state: 'enabled' | 'disabled';
}

/** The endpoint, where it was created and is not deleted. */
export function toRunning(endpoint: WebhookEndpoint): RunningEndpoint | undefined {
  if (!isRunning(endpoint)) return undefined;
  const { status: state, ...rest } = endpoint;
  return { ...rest, state };
}

/**
 * Whether an endpoint is sent a message of an event (rules/webhooks 7). An earlier event is not news to it, however
 * late that is read.
 */
export function wantsMessage(
  { eventTypes, createdAt }: Pick<RunningEndpoint, 'eventTypes' | 'createdAt'>,
  type: string,
  occurredAt: Instant,
): boolean {
  if (!coversEventType(eventTypes, type)) return false;
  return occurredAt >= createdAt || addMilliseconds(occurredAt, CLOCK_TOLERANCE_MS) >= createdAt;
}
