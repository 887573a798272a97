/** What the projector's providers are injected by. */
export const CONFIG = Symbol('projector configuration');
export const EVENT_STORE = Symbol('event store');
export const LOG = Symbol('log');
export const SHUTDOWN = Symbol('shutdown');
