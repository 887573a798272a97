export { type AllowedPorts, DEFAULT_PORTS, type TargetRules } from './address.js';
export { EgressConnections } from './connections.js';
export type { EgressFailureCode } from './failure.js';
export type { EgressAnswer } from './receipt.js';
export { get, post, RequestFailed } from './request.js';
export { checkTarget, type TargetCheck, type TargetRefusal } from './target.js';
export { ProxyFailed } from './proxy.js';
export { egressVariables, readEgressOptions } from './settings.js';
