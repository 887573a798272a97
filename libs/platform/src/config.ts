import { newUuid } from './ids.js';
import type { LogLevel } from './logger.js';
import {
  fixedMasterKeys,
  type MasterKeys,
  masterKeysInFile,
  parseMasterKeys,
} from './master-keys.js';
import { parseRedisAddress } from './redis-address.js';
import { NO_PROXIES, parseTrustedProxies } from './trusted-proxies.js';

/**
 * One environment variable: its name and how its text becomes a value. `parse` throws an error that says why. The
 * others are for a variable that another one can take the place of.
 */
export interface Variable<T> {
  readonly name: string;
  readonly parse: (text: string | undefined, env: NodeJS.ProcessEnv) => T;
}

type Values<Variables> = {
  [Key in keyof Variables]: Variables[Key] extends Variable<infer T> ? T : never;
};

/**
 * Reads an app's configuration, once, at its start: each app declares the variables it needs.
 * An empty variable counts as missing.
 *
 * @throws Error with one line for each bad or missing variable, all at once.
 */
export function readConfig<Variables extends Record<string, Variable<unknown>>>(
  env: NodeJS.ProcessEnv,
  declared: Variables,
): Values<Variables> {
  const values: Record<string, unknown> = {};
  const complaints: string[] = [];
  for (const [key, { name, parse }] of Object.entries(declared)) {
    const text = env[name]?.trim();
    try {
      values[key] = parse(text === '' ? undefined : text, env);
    } catch (error) {
      complaints.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (complaints.length > 0) throw new Error(`Bad configuration:\n  ${complaints.join('\n  ')}`);
  // Every declared key was parsed by its own variable just above, which TypeScript cannot follow.
  return values as Values<Variables>;
}

const LOG_LEVELS: readonly LogLevel[] = [
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
  'silent',
];

/** The namespace of a ledger where STREAM_NAMESPACE is not set (rules/storage 5). */
export const DEFAULT_NAMESPACE = 'sl';
/** No dot and no dash, which end a namespace and a category in the name of a stream. */
const NAMESPACE = /^[a-z][a-z0-9_]{0,31}$/;

/** Whether stored names of streams may begin with this text. */
export function isStreamNamespace(text: string): boolean {
  return NAMESPACE.test(text);
}

const MS_PER_HOUR = 3_600_000;

/** The variables of the house. README and docker-compose.yml speak of these, and of no others. */
export const variables = {
  /** `esdb://host:port?tls=false` or `esdb+discover://...`. */
  eventStoreUrl: required('EVENTSTOREDB_URL', url('esdb:', 'esdb+discover:')),
  /** The prefix of the names of all streams: several ledgers may share a store. */
  streamNamespace: withDefault('STREAM_NAMESPACE', namespace, DEFAULT_NAMESPACE),
  /** `redis://`, `rediss://` or `unix:` address; with several nodes that of a cluster (rules/running 9). */
  redisUrl: required('REDIS_URL', redisUrl),
  /**
   * 32 bytes in base64, from which every other key is derived; several while they are rotated
   * (rules/storage 4), or the file that holds them.
   */
  masterKeys: { name: 'MASTER_KEY', parse: requiredMasterKeys },
  /** For a program that can make one of its own. */
  optionalMasterKeys: { name: 'MASTER_KEY', parse: masterKeys },
  /**
   * The name of this process among those of its kind: one that starts again under its name takes its
   * partitions over at once (rules/running 8). Unless told, a new one with every start.
   */
  instanceName: {
    name: 'INSTANCE_NAME',
    parse: (text = newUuid()) => instanceName(text),
  },
  /** Loopback unless said otherwise: exposure is a decision. */
  host: withDefault('HOST', (text) => text, '127.0.0.1'),
  port: withDefault('PORT', port, 8080),
  /** How others reach the API, for links in answers; without it, its own address. */
  baseUrl: withDefault('BASE_URL', httpUrl, undefined),
  /** Where the storefront listens; beside the API's port, since the two are origins of their own. */
  storefrontPort: withDefault('STOREFRONT_PORT', port, 8081),
  /** How players reach the storefront, for checkout links; unless told, it is on this machine. */
  storefrontUrl: withDefault('STOREFRONT_URL', httpUrl, 'http://127.0.0.1:8081'),
  /** For the standalone, which knows the address of its storefront. */
  optionalStorefrontUrl: withDefault('STOREFRONT_URL', httpUrl, undefined),
  logLevel: withDefault('LOG_LEVEL', choice(LOG_LEVELS), 'info'),
  /** Health and metrics on a port of their own. */
  adminPort: withDefault('ADMIN_PORT', port, undefined),
  /** How long former generations of read models are kept, in milliseconds (rules/read-models 1). */
  formerKeptMs: withDefault('FORMER_READ_MODEL_HOURS', hours, 24 * MS_PER_HOUR),
  /** The files with the key that signs checkpoints, and with the one before it (rules/evidence 6). */
  sealKeyFile: withDefault('SEAL_KEY_FILE', (text) => text, undefined),
  sealFormerKeyFile: withDefault('SEAL_FORMER_KEY_FILE', (text) => text, undefined),
  /** Begins the origin of a ledger's checkpoints, from its first one on. */
  sealOriginHost: withDefault('SEAL_ORIGIN_HOST', originHost, 'subledger'),
  /** Between two checkpoints while events come, in milliseconds. */
  sealIntervalMs: withDefault('SEAL_INTERVAL_SECONDS', secondsOfDay, 600_000),
  /** The folder of the books as Parquet (rules/books 1); without one, none are kept. */
  booksDir: withDefault('BOOKS_DIR', booksFolder, undefined),
  /** At most one set of files in this time, in milliseconds. */
  booksIntervalMs: withDefault('BOOKS_INTERVAL_SECONDS', secondsOfDay, 3_600_000),
  /** The address at which a bookkeeper answers the API; without one, there are no reports over HTTP. */
  bookkeeperUrl: withDefault('BOOKKEEPER_URL', httpUrl, undefined),
  bookkeeperPort: withDefault('BOOKKEEPER_PORT', port, undefined),
  /** Whether everybody may read checkpoints, proofs of consistency and tiles (rules/http 13). */
  sealPublic: withDefault('SEAL_PUBLIC', flag, false),
  /** How often an app may ask each process of the API, and each of its players; no limit unless told (rules/api 19). */
  requestsPerSecond: withDefault('API_REQUESTS_PER_SECOND', perSecond, undefined),
  playerRequestsPerSecond: withDefault('API_PLAYER_REQUESTS_PER_SECOND', perSecond, undefined),
  /** Whether webhooks of test apps may go to http and loopback addresses (rules/http 1). */
  allowInsecureTargets: withDefault(
    'ALLOW_INSECURE_TARGETS',
    choice(['test-apps', 'none'] as const),
    'none',
  ),
  /** Whether production apps may be paid with the sandbox's test cards (rules/payments 1). */
  sandboxInProductionApps: withDefault(
    'SANDBOX_IN_PRODUCTION_APPS',
    choice(['trial', 'none'] as const),
    'none',
  ),
  /** Where something answers in Stripe's place, for tests (decision 0027). */
  stripeStandIn: withDefault('STRIPE_STAND_IN', loopbackUrl, undefined),
  /** The proxies whose headers about players are believed: addresses and ranges, never all (rules/http 12). */
  trustedProxies: withDefault('TRUSTED_PROXIES', parseTrustedProxies, NO_PROXIES),
  /** The header in which they name a player's country, in lower case; none unless told. */
  countryHeader: { name: 'COUNTRY_HEADER', parse: countryHeader },
};

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

function required<T>(name: string, parse: (text: string) => T): Variable<T> {
  return {
    name,
    parse: (text) => {
      if (text === undefined) throw new Error('is missing');
      return parse(text);
    },
  };
}

function withDefault<T, const D>(
  name: string,
  parse: (text: string) => T,
  fallback: D,
): Variable<T | D> {
  return { name, parse: (text) => (text === undefined ? fallback : parse(text)) };
}

function url(...protocols: string[]) {
  return (text: string): string => {
    const protocol = protocols.find((candidate) => text.startsWith(candidate));
    if (protocol === undefined) throw new Error(`must begin with ${protocols.join(' or ')}`);
    return text;
  };
}

function redisUrl(text: string): string {
  parseRedisAddress(text);
  return text;
}

function namespace(text: string): string {
  if (isStreamNamespace(text)) return text;
  throw new Error('must be up to 32 lower-case letters, digits and _, the first one a letter');
}

function instanceName(text: string): string {
  if (/^[A-Za-z0-9._-]{1,63}$/.test(text)) return text;
  throw new Error('must be up to 63 letters, digits, dots, dashes and underscores');
}

/** Links in answers begin with it: a path behind a query or a fragment would be none. */
function httpUrl(text: string): string {
  if (!/^https?:\/\/[^/?#][^?#]*$/.test(text) || !URL.canParse(text)) {
    throw new Error('must be an http or https address without query and fragment');
  }
  return text.replace(/\/+$/, '');
}

/** Loopback alone: no setting can lead a secret key elsewhere. */
function loopbackUrl(text: string): URL {
  const address = new URL(httpUrl(text));
  if (LOOPBACK.has(address.hostname)) return address;
  throw new Error('must be an address on loopback: it is for tests');
}

/** RFC 9110, 5.1: the name of a field is a token. Node.js gives them in lower case. */
const FIELD_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

/** Without a proxy that is trusted, the header would never count. */
function countryHeader(text: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const name = text?.toLowerCase();
  if (name === undefined) return undefined;
  if (!FIELD_NAME.test(name)) throw new Error('must be the name of a header, such as cf-ipcountry');
  const proxies = env['TRUSTED_PROXIES']?.trim() ?? '';
  if (proxies === '') throw new Error('is set, and no TRUSTED_PROXIES that would be believed it');
  return name;
}

function port(text: string): number {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > 65_535) throw new Error('must be a port, 0 to 65535');
  return number;
}

function perSecond(text: string): number {
  const number = Number(text);
  if (/^[1-9]\d{0,5}$/.test(text)) return number;
  throw new Error('must be a whole number of requests from 1 to 999999');
}

/** @returns milliseconds: above 0, and a year at most. */
function hours(text: string): number {
  const ms = Math.round(Number(text) * MS_PER_HOUR);
  if (/^\d{1,4}(\.\d{1,3})?$/.test(text) && ms > 0 && ms <= 8_760 * MS_PER_HOUR) return ms;
  throw new Error('must be a number of hours above 0, such as 24 or 0.5, and at most 8760');
}

/** Names of keys and logs in signed notes: Go's reader takes neither spaces nor pluses. */
function originHost(text: string): string {
  if (/^[A-Za-z0-9.-]{1,253}$/.test(text)) return text;
  throw new Error('must be a host name, such as ledger.example.com');
}

/** @returns milliseconds: each checkpoint is an event for good, and unsealed events are neither attested nor in the books. */
function secondsOfDay(text: string): number {
  const seconds = Number(text);
  if (/^[1-9]\d{0,4}$/.test(text) && seconds <= 86_400) return seconds * 1_000;
  throw new Error('must be a whole number of seconds from 1 to 86400');
}

/** DuckDB takes a path with such a character for a pattern of files. */
function booksFolder(text: string): string {
  if (!/[*?[]/.test(text)) return text;
  throw new Error(
    'must name a folder whose path has none of * ? [, which readers of Parquet take for a pattern',
  );
}

/** MASTER_KEY_FILE is another way to say it, for keys that are rotated while programs run. */
function masterKeys(text: string | undefined, env: NodeJS.ProcessEnv): MasterKeys | undefined {
  const file = env['MASTER_KEY_FILE']?.trim() ?? '';
  if (text !== undefined && file !== '') throw new Error('is set, and MASTER_KEY_FILE, too');
  if (text !== undefined) return fixedMasterKeys(parseMasterKeys(text));
  return file === '' ? undefined : masterKeysInFile(file);
}

function requiredMasterKeys(text: string | undefined, env: NodeJS.ProcessEnv): MasterKeys {
  const keys = masterKeys(text, env);
  if (keys === undefined) throw new Error('is missing');
  return keys;
}

function flag(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error('must be true or false');
}

function choice<const T extends string>(allowed: readonly T[]) {
  return (text: string): T => {
    const found = allowed.find((candidate) => candidate === text);
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`);
    return found;
  };
}
