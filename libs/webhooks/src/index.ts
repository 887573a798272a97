export { SENT_CATEGORIES } from './catalogue.js';
export { isSealNotice, renderImpersonalMessage } from './impersonal-message.js';
export {
  listMessages,
  listOwners,
  type NeededStates,
  neededStates,
  planMessages,
  type PlannedMessage,
  renderMessages,
  type WebhookMessage,
} from './render-messages.js';
export { sampleMessage } from './samples/sample-message.js';
export { delayBeforeAttempt, RETRY_SCHEDULE_MS } from './schedule.js';
export { type Attempt, showSecret, webhookHeaders } from './signing.js';
export { SELECTORS, WEBHOOK_TYPES, type WebhookType } from './webhook-types.js';
