export { EndpointFailures, type Failing } from './endpoint-failures.js';
export { EndpointStates, openEndpointStates } from './endpoint-states.js';
export { EventDeliveries } from './event-deliveries.js';
export { type FeedKeys, feedKeys } from './feed-keys.js';
export { type EndpointState, readEndpointState } from './read-endpoint-state.js';
export { RETRY_QUEUE, workerPrefix } from './retry-queue-keys.js';
export { SharedTokens } from './shared-tokens.js';
