export { OPEN_AT_MOST_MS, PLACES_LENT_MS } from './limits.js';
export { EndpointStates, openEndpointStates } from './endpoint-states.js';
export { EventDeliveries } from './event-deliveries.js';
export { type FeedKeys, feedKeys } from './feed-keys.js';
export { type BreakerState, type EndpointState, readEndpointState } from './read-endpoint-state.js';
export { RETRY_QUEUE, workerPrefix } from './retry-queue-keys.js';
export { type FailedAttempt, type Failing, type Probe, SharedBreakers } from './shared-breakers.js';
export { SharedPlaces } from './shared-places.js';
export { SharedTokens } from './shared-tokens.js';
