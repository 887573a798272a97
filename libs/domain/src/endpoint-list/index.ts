export { endpointListAggregate, type EndpointListEvent } from './endpoint-list.js';
