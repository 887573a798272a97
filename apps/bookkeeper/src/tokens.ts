/** The injection tokens of the bookkeeper. */
export const CONFIG = Symbol('bookkeeper configuration');
export const EVENT_STORE = Symbol('event store');
export const LOG = Symbol('log');
export const REDIS = Symbol('redis');
export const SHUTDOWN = Symbol('shutdown');
