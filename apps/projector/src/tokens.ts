/** What the projector's providers are injected by, beside what all programs have. */
export const CONFIG = Symbol('projector configuration');
export const REDIS = Symbol('redis');
export const SHUTDOWN = Symbol('shutdown');
