/** Injected things that are no class: the libraries' interfaces, by name. */
export const APP_DIRECTORY = Symbol('AppDirectory');
export const CLOCK = Symbol('Clock');
export const COMMAND_EXECUTOR = Symbol('CommandExecutor');
export const EVENT_STORE = Symbol('EventStore');
export const LOG = Symbol('Log');
/** Aborted when a stop begins: a request that waits answers with the present state. */
export const STOPPING = Symbol('Stopping');
/** The keys under which commands are hashed. */
export const COMMAND_HASH_KEYS = Symbol('CommandHashKeys');
