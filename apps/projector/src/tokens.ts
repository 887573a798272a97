/** The injection tokens of the projector, beside those of all programs. */
export const CONFIG = Symbol('projector configuration');
export const REDIS = Symbol('redis');
export const SHUTDOWN = Symbol('shutdown');
