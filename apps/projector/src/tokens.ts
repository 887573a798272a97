/** What the projector's providers are injected by, beside what all programs have. */
export const CONFIG = Symbol('projector configuration');
export const READ_MODELS = Symbol('read models');
export const SHUTDOWN = Symbol('shutdown');
