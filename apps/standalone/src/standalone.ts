import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { openAccess, secureConnectionString } from '#embedded-event-store/access';
import type { StandaloneConfig } from './command-line.js';
import {
  masterKeysIn,
  openDataDir,
  openSealKey,
  refuseLostMasterKey,
  writeSecretFile,
} from './data-dir.js';
import type { DemoSecrets } from './demo-app.js';
import { pickAddresses } from './addresses.js';
import { freePorts } from './free-port.js';
import { appProgram, eventStoreProgram } from './programs.js';
import { redisProgram, stopLeftoverRedis } from './redis.js';
import type { Supervisor } from './supervisor.js';

const PASSWORD_BYTES = 32;
const MS_PER_SECOND = 1_000;
const MS_PER_HOUR = 3_600_000;

export interface Standalone {
  readonly baseUrl: string;
  readonly storefrontUrl: string;
  readonly demo: DemoSecrets;
}

/**
 * Starts everything. The event store's lock tells whether another standalone runs on this data directory, so nothing
 * but logs is touched in it before the store is ready. The programs load meanwhile, which takes them longer than the
 * store, and wait for their services.
 *
 * @throws StartRefused with one clear sentence.
 */
export async function startStandalone(
  config: StandaloneConfig,
  supervisor: Supervisor,
): Promise<Standalone> {
  const { dataDir, logLevel } = config;
  if (config.masterKeys === undefined) refuseLostMasterKey(dataDir);
  const addresses = await pickAddresses(config);
  const folders = await openDataDir(dataDir);
  const log = (name: string) => path.join(folders.logs, `${name}.log`);
  const masterKeys = config.masterKeys ?? (await masterKeysIn(dataDir));
  const [storePort, redisPort, bookkeeperPort] = await freePorts();
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  const eventStoreUrl = secureConnectionString(await openAccess(folders.eventStore), storePort);
  const redisUrl = `redis://:${password}@127.0.0.1:${redisPort}`;

  const store = supervisor.start(
    eventStoreProgram(folders.eventStore, storePort, log('event-store')),
  );
  const around = { eventStoreUrl, redisUrl, logLevel };
  const gateways = {
    ...masterKeys.environment,
    SANDBOX_IN_PRODUCTION_APPS: config.sandboxInProductionApps,
    ...(config.stripeStandIn && { STRIPE_STAND_IN: config.stripeStandIn.origin }),
  };
  const secrets = {
    ...gateways,
    // The standalone's test apps may reach programs on this machine (rules/http 1).
    ALLOW_INSECURE_TARGETS: 'test-apps',
  };
  const feed = { FORMER_READ_MODEL_HOURS: String(config.formerKeptMs / MS_PER_HOUR) };
  const reports = describeReports(bookkeeperPort, masterKeys.environment);
  const edge = { ...secrets, ...addresses.api, ...describeLimits(config), ...feed, ...reports.api };
  // Players come back to the storefront from a bank, where the worker's charge has led them.
  const work = { ...secrets, STOREFRONT_URL: addresses.storefrontUrl };
  const shop = { ...secrets, ...addresses.storefront, ...describeProxies(config) };
  const apps = Promise.all([
    supervisor.start(appProgram('api', around, edge, log('api'))),
    supervisor.start(appProgram('storefront', around, shop, log('storefront'))),
    supervisor.start(appProgram('projector', around, feed, log('projector'))),
    supervisor.start(appProgram('worker', around, work, log('worker'))),
  ]);
  // When both fail, the error of the services is reported first.
  apps.catch(() => undefined);

  // Loaded while the others load: the standalone's own work comes after them.
  const [{ openDemoApp }] = await Promise.all([import('./demo-app.js'), store]);
  await stopLeftoverRedis(folders.redis);
  const redis = supervisor.start(redisProgram(folders.redis, redisPort, password, log('redis')));
  // As the event store leaves its own: programs of the same owner read it.
  const address = path.join(folders.redis, 'connection-string');
  const written = writeSecretFile(address, `${redisUrl}\n`);
  const [demo] = await Promise.all([openDemoApp(eventStoreUrl, masterKeys), redis, written]);
  const [api] = await apps;
  const baseUrl = config.baseUrl ?? String(api['url']);
  const books = { ...reports.books, ...(await describeSeals(config)), ...describeBooks(config) };
  supervisor.startBeside(appProgram('bookkeeper', around, books, log('bookkeeper')));
  const { storefrontUrl } = addresses;
  await writeDemoFile(dataDir, { baseUrl, storefrontUrl, ...demo });
  return { baseUrl, storefrontUrl, demo };
}

async function writeDemoFile(dataDir: string, content: object): Promise<void> {
  await writeSecretFile(path.join(dataDir, 'demo.json'), `${JSON.stringify(content, null, 2)}\n`);
}

/** The bookkeeper's settings: a key is made where none is named. */
async function describeSeals(config: StandaloneConfig): Promise<Record<string, string>> {
  const { sealKeyFile, sealFormerKeyFile, sealOriginHost, sealIntervalMs, dataDir } = config;
  return {
    SEAL_KEY_FILE: sealKeyFile ?? (await openSealKey(dataDir)),
    ...(sealFormerKeyFile !== undefined && { SEAL_FORMER_KEY_FILE: sealFormerKeyFile }),
    SEAL_ORIGIN_HOST: sealOriginHost,
    SEAL_INTERVAL_SECONDS: String(sealIntervalMs / MS_PER_SECOND),
  };
}

/** How the API and the bookkeeper meet: by a port of this machine, and keys that follow from the master key. */
function describeReports(port: number, keys: Readonly<Record<string, string>>) {
  return {
    api: { BOOKKEEPER_URL: `http://127.0.0.1:${port}` },
    books: { ...keys, BOOKKEEPER_PORT: String(port) },
  };
}

/** The standalone's own folder where none is named. */
function describeBooks({ booksDir, booksIntervalMs }: StandaloneConfig): Record<string, string> {
  return {
    ...(booksDir !== undefined && { BOOKS_DIR: booksDir }),
    BOOKS_INTERVAL_SECONDS: String(booksIntervalMs / MS_PER_SECOND),
  };
}

/** Apps and their players ask the API alone (rules/api 19). */
function describeLimits({
  requestsPerSecond,
  playerRequestsPerSecond,
}: StandaloneConfig): Record<string, string> {
  return {
    ...(requestsPerSecond !== undefined && {
      API_REQUESTS_PER_SECOND: String(requestsPerSecond),
    }),
    ...(playerRequestsPerSecond !== undefined && {
      API_PLAYER_REQUESTS_PER_SECOND: String(playerRequestsPerSecond),
    }),
  };
}

/** Of the programs, players come to the storefront alone (rules/http 12). */
function describeProxies({
  trustedProxies: { text },
  countryHeader,
}: StandaloneConfig): Record<string, string> {
  return {
    ...(text !== '' && { TRUSTED_PROXIES: text }),
    ...(countryHeader !== undefined && { COUNTRY_HEADER: countryHeader }),
  };
}
