/** What the worker's providers are injected by, where it is no class. */
export const CONFIG = Symbol('worker configuration');
export const LOG = Symbol('log');
export const SHUTDOWN = Symbol('shutdown');
export const EVENT_STORE = Symbol('event store');
export const COMMANDS = Symbol('command executor');
export const APPS = Symbol('app directory');
export const GATEWAYS = Symbol('payment gateways');
export const READ_MODELS = Symbol('read models');
export const REDIS = Symbol('redis');
export const JOB_CONNECTIONS = Symbol('connections of the job queues');
export const KEYS = Symbol('keys in redis');
