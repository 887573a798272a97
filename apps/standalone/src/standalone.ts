import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { StandaloneConfig } from './command-line.js';
import { masterKeyIn, openDataDir, writeSecretFile } from './data-dir.js';
import { type DemoSecrets, openDemoApp } from './demo-app.js';
import { freePort, usablePort } from './free-port.js';
import { appProgram, eventStoreProgram } from './programs.js';
import { redisProgram, stopLeftoverRedis } from './redis.js';
import type { Supervisor } from './supervisor.js';

const PASSWORD_BYTES = 32;

export interface Standalone {
  readonly baseUrl: string;
  readonly demo: DemoSecrets;
}

/**
 * Starts everything, each part as soon as what it needs is there. The event store goes first: its
 * lock tells whether another standalone runs on this data directory.
 *
 * @throws StartRefused with one clear sentence.
 */
export async function startStandalone(
  config: StandaloneConfig,
  supervisor: Supervisor,
): Promise<Standalone> {
  const { dataDir, host, logLevel } = config;
  const port = await usablePort(config.port, host);
  const folders = await openDataDir(dataDir);
  const log = (name: string) => path.join(folders.logs, `${name}.log`);
  const masterKey = config.masterKey ?? (await masterKeyIn(dataDir));

  const storePort = await freePort();
  const store = eventStoreProgram(folders.eventStore, storePort, log('event-store'));
  const eventStoreUrl = String((await supervisor.start(store))['connectionString']);

  await stopLeftoverRedis(folders.redis);
  const redisPort = await freePort();
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  const redis = supervisor.start(redisProgram(folders.redis, redisPort, password, log('redis')));
  const [demo] = await Promise.all([openDemoApp(eventStoreUrl, masterKey), redis]);

  const redisUrl = `redis://:${password}@127.0.0.1:${redisPort}`;
  const around = { eventStoreUrl, redisUrl, masterKey, logLevel };
  const address = { HOST: host, PORT: String(port) };
  const edge = config.baseUrl === undefined ? address : { ...address, BASE_URL: config.baseUrl };
  const [api] = await Promise.all([
    supervisor.start(appProgram('api', around, edge, log('api'))),
    supervisor.start(appProgram('projector', around, {}, log('projector'))),
    supervisor.start(appProgram('worker', around, {}, log('worker'))),
  ]);
  const baseUrl = config.baseUrl ?? String(api['url']);
  const content = JSON.stringify({ baseUrl, ...demo }, null, 2);
  await writeSecretFile(path.join(dataDir, 'demo.json'), `${content}\n`);
  return { baseUrl, demo };
}
