/** The injection tokens of the worker's providers that are no class. */
export const CONFIG = Symbol('worker configuration');
/** The connections by which webhooks leave. */
export const EGRESS = Symbol('egress');
export const LOG = Symbol('log');
/** The machine's clock, or a test's in its place: `Clock`. */
export const CLOCK = Symbol('clock');
export const SHUTDOWN = Symbol('shutdown');
/** All that the process has open. */
export const CONNECTIONS = Symbol('connections');
export const EVENT_STORE = Symbol('event store');
export const COMMANDS = Symbol('command executor');
export const APPS = Symbol('app directory');
/** The tax rates of apps as of the events that are worked on: `TaxRatesInUse`. */
export const TAX_RATES = Symbol('tax rates');
/** The test clocks that were ever advanced. */
export const CLOCKS = Symbol('test clocks');
export const GATEWAYS = Symbol('payment gateways');
/** Lists the books of all gateways: `ListBooks`. */
export const BOOKS = Symbol('books of the gateways');
/** How players reach the storefront. */
export const STOREFRONT_URL = Symbol('storefront URL');
/** How the addresses are stored where players confirm payments. */
export const CHALLENGE_ADDRESSES = Symbol('challenge addresses');
export const PERSONAL_DATA = Symbol('personal data');
export const READ_MODELS = Symbol('read models');
export const REDIS = Symbol('redis');
export const JOB_CONNECTIONS = Symbol('connections of the job queues');
/** The keys of the partition in Redis. */
export const KEYS = Symbol('keys in redis');
/** The lease of the partition: which one it is, and the token that its acts name. */
export const LEASE = Symbol('lease');
/** The loops that run for a partition by themselves, beside its feed and its jobs. */
export const LOOPS = Symbol('loops of the partition');
/** The identity of the ledger: how it is divided, and how it was before. */
export const NAMESPACE = Symbol('namespace');
/** Into which ranges of buckets the ledger is divided. */
export const PARTITIONS = Symbol('partitions');
