import type { Environment } from '#domain/event';
import type { WebhookType } from '../webhook-types.js';
import { V1_SAMPLES } from './purchase-samples.js';
import { V2_SAMPLES } from './subscription-samples.js';

/**
 * The body of a test message: an example of this type, the same at every call, of a player and objects that do not
 * exist (rules/webhooks 7).
 *
 * @param environment of the app; v1 messages name it.
 * @returns compact JSON, as `WebhookMessage.body`.
 */
export function sampleMessage(type: WebhookType, environment: Environment): string {
  return JSON.stringify({ type, ...sampleFields(type, environment) });
}

function sampleFields(
  type: WebhookType,
  environment: Environment,
): Readonly<Record<string, unknown>> {
  if (!isV1(type)) return { data: V2_SAMPLES[type] };
  const container = type === 'PURCHASE_SUCCEEDED' ? 'purchaseSucceeded' : 'eventData';
  return { environment, [container]: V1_SAMPLES[type] };
}

function isV1(type: WebhookType): type is WebhookType<'v1'> {
  return type in V1_SAMPLES;
}
