export { SENT_CATEGORIES } from './catalogue.js';
export {
  type NeededStates,
  neededStates,
  renderMessages,
  type WebhookMessage,
} from './render-messages.js';
export { delayBeforeAttempt, RETRY_SCHEDULE_MS } from './schedule.js';
export { type Attempt, showSecret, verifyWebhook, webhookHeaders } from './signing.js';
export { SELECTORS } from './webhook-types.js';
