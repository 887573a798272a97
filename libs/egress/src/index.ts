export type { TargetRules } from './address.js';
export { createEgressAgent, ForbiddenTarget } from './agent.js';
export { checkTarget, type TargetCheck, type TargetRefusal } from './target.js';
