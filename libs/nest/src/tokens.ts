/** What Nest injects that is no class: the libraries' interfaces, by name. */
export const APP_DIRECTORY = Symbol('AppDirectory');
export const CLOCK = Symbol('Clock');
export const COMMAND_EXECUTOR = Symbol('CommandExecutor');
export const EVENT_STORE = Symbol('EventStore');
export const LOG = Symbol('Log');
/** Aborted when a stop begins: what waits for something to come answers with what there is. */
export const STOPPING = Symbol('Stopping');
/** Under which what commands ask is hashed. */
export const COMMAND_HASH_KEYS = Symbol('CommandHashKeys');
