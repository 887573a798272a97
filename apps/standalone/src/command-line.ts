import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig, variables } from '#platform';

export const HELP = `subledger, standalone: the whole ledger on this machine.

Usage: npm start -- [--json] [--help] [--version]

It starts an embedded event store, a private Redis, the API, the storefront, the projector, the
worker and the bookkeeper, and stops them all at Ctrl-C or SIGTERM. Everything it keeps is in DATA_DIR.

Options:
  --json     print one JSON object when ready, or on stderr why it does not start
  --help     print this text
  --version  print the release

Environment:
  PORT        port of the API (default 8080; 0 picks a free one)
  HOST        address to listen at (default 127.0.0.1: this machine only)
  DATA_DIR    where everything is kept (default ./data)
  BASE_URL    how others reach the API (default: its own address)
  STOREFRONT_PORT
              port of the storefront, the pages for players (default 8081; 0 picks a free one)
  STOREFRONT_URL
              how players reach the storefront, for checkout links (default: its own address)
  MASTER_KEY  32 bytes in base64 that encrypt all secrets (default: made at the first start and
              kept in DATA_DIR/master.key); MASTER_KEY_FILE names a file with it
  ADMIN_PORT  a port for health and metrics of the API (default: its own)
  LOG_LEVEL   trace, debug, info, warn or error (default info; logs are in DATA_DIR/logs)
  SANDBOX_IN_PRODUCTION_APPS
              trial: production apps, too, can be paid with test cards, for a trial run
  STRIPE_STAND_IN
              an address on loopback that answers in Stripe's place, for tests
  TRUSTED_PROXIES
              addresses and ranges of the proxies in front of the storefront, 10.0.0.7,10.1.0.0/16
  COUNTRY_HEADER
              the header in which they name a player's country, such as cf-ipcountry
  FORMER_READ_MODEL_HOURS
              how long former generations of read models are kept for a rollback (default 24)
  SEAL_KEY_FILE
              the key that signs checkpoints of the ledger (default: made at the first start and kept
              in DATA_DIR/seal.key); SEAL_FORMER_KEY_FILE names the one before it in a rotation
  SEAL_INTERVAL_SECONDS, SEAL_ORIGIN_HOST
              between two checkpoints (default 600), and how their log's name begins
  BOOKS_DIR   where the books are kept as Parquet (default DATA_DIR/books)
  BOOKS_INTERVAL_SECONDS
              between two sets of files of the books (default 3600)
  API_REQUESTS_PER_SECOND, API_PLAYER_REQUESTS_PER_SECOND
              how often an app, and each of its players, may ask the API (default: no limit)

Exit codes: 0 stopped in order, 1 it could not start, 2 arguments or environment not understood.

For more than one machine, run the same programs against an EventStoreDB cluster and a Redis of
your own: see docs/settings.md.
`;

export interface StandaloneCommandLine {
  readonly help: boolean;
  readonly json: boolean;
  readonly version: boolean;
}

/** Arguments or environment that say nothing that could be done. */
export class NotUnderstood extends Error {}

/** @throws NotUnderstood naming the bad argument. */
export function parseCommandLine(args: string[]): StandaloneCommandLine {
  const { values } = understood(() =>
    parseArgs({
      args,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        json: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
      },
    }),
  );
  return values;
}

export type StandaloneConfig = ReturnType<typeof readStandaloneConfig>;

/** @throws NotUnderstood with a line for every bad variable. */
export function readStandaloneConfig(env: NodeJS.ProcessEnv) {
  const given = env['DATA_DIR']?.trim();
  const dataDir = path.resolve(given === undefined || given === '' ? 'data' : given);
  const settings = { BOOKS_DIR: path.join(dataDir, 'books'), ...withoutEmpty(env) };
  const config = understood(() =>
    readConfig(settings, {
      port: variables.port,
      host: variables.host,
      baseUrl: variables.baseUrl,
      storefrontPort: variables.storefrontPort,
      storefrontUrl: variables.optionalStorefrontUrl,
      logLevel: variables.logLevel,
      masterKeys: variables.optionalMasterKeys,
      sandboxInProductionApps: variables.sandboxInProductionApps,
      stripeStandIn: variables.stripeStandIn,
      trustedProxies: variables.trustedProxies,
      countryHeader: variables.countryHeader,
      adminPort: variables.adminPort,
      formerKeptMs: variables.formerKeptMs,
      sealKeyFile: variables.sealKeyFile,
      sealFormerKeyFile: variables.sealFormerKeyFile,
      sealOriginHost: variables.sealOriginHost,
      sealIntervalMs: variables.sealIntervalMs,
      booksDir: variables.booksDir,
      booksIntervalMs: variables.booksIntervalMs,
      requestsPerSecond: variables.requestsPerSecond,
      playerRequestsPerSecond: variables.playerRequestsPerSecond,
    }),
  );
  return { ...config, dataDir };
}

/** An empty variable counts as missing. */
function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, text]) => text?.trim() !== ''));
}

function understood<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new NotUnderstood(error instanceof Error ? error.message : String(error));
  }
}
