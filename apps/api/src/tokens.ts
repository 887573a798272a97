/** What Nest injects that is no class of this app: ports and adapters of the libraries, by name. */
export const ACCESS_TOKENS = Symbol('AccessTokens');
export const APP_DIRECTORY = Symbol('AppDirectory');
export const APP_SECRETS = Symbol('AppSecrets');
export const CLOCK = Symbol('Clock');
export const COMMANDS = Symbol('CommandExecutor');
export const CONFIG = Symbol('ApiConfig');
export const EVENT_STORE = Symbol('EventStore');
export const GATEWAYS = Symbol('PaymentGateways');
export const LOG = Symbol('Log');
export const OPERATOR_TOKENS = Symbol('OperatorTokens');
export const PAGE_TOKENS = Symbol('PageTokens');
export const PRICE_BOOKS = Symbol('PriceBooks');
export const READ_MODELS = Symbol('ReadModels');
/** Aborted when a stop begins: whoever waits for something to come answers with what there is. */
export const STOPPING = Symbol('Stopping');
