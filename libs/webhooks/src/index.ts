export { entryOf, isWebhookEvent, SELECTORS } from './catalogue.js';
export { messageIdOf, renderMessage, type WebhookMessage } from './message.js';
export { delayBeforeAttempt, RETRY_SCHEDULE_MS } from './schedule.js';
export { type Attempt, showSecret, verifyWebhook, webhookHeaders } from './signing.js';
