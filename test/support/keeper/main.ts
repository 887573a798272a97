/**
 * Keeps one standalone for all workers of Vitest, over all files that they run, and gives every file an app of its
 * own in it. It ends when its stdin does, which the end of Vitest closes, however Vitest ends: then the standalone is stopped and its directory
 * removed.
 */
import { createServer } from 'node:http';
import process from 'node:process';
import { bearer } from '../api-client.js';
import { freePort } from '../free-port.js';
import { grantOperatorToken } from '../operators.js';
import { requireOk } from '../scenario.js';
import { type RunningStandalone, startStandalone, temporaryDataDir } from '../standalone.js';
import type { GivenApp } from './given-app.js';

/** Loopback has a whole network of addresses: a test can be a proxy at this one, and a stranger at any other. */
const PROXIED = { TRUSTED_PROXIES: '127.0.0.2', COUNTRY_HEADER: 'x-country' };

interface Kept {
  readonly standalone: RunningStandalone;
  /** The port at which a test may answer in Stripe's place. */
  readonly stripePort: number;
  readonly allAppsToken: string;
  /** Ends it and removes its data. @returns its exit code. */
  stop(): Promise<number | null>;
}

let kept: Promise<Kept> | undefined;

const server = createServer((_, response) => {
  giveApp().then(
    (app) => response.end(JSON.stringify(app)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(process.argv[2], () => process.stdout.write('ready\n'));
process.stdin.on('end', () => void stop()).resume();

/** An app as the demo app is, so that tests need not know in which of the two they are. */
async function giveApp(): Promise<GivenApp> {
  kept ??= start();
  // A start that failed is tried again for the next file, which reports its own error.
  kept.catch(() => (kept = undefined));
  const { standalone, allAppsToken, stripePort } = await kept;
  const { demo, dataDir, baseUrl } = standalone;
  const wanted = { name: 'demo', environment: 'test' };
  const created = requireOk(await bearer(baseUrl, allAppsToken).post('/manage/apps', wanted));
  const appId = String(created.body['appId']);
  const { token: operatorToken } = await grantOperatorToken(standalone, ['admin'], [appId], 'demo');
  const secrets = created.body as unknown as Pick<typeof demo, 'ingressSecret' | 'apiKey'>;
  const { ingressSecret, apiKey } = secrets;
  return {
    dataDir,
    demo: { ...demo, appId, ingressSecret, apiKey, operatorToken },
    allAppsToken,
    stripePort,
  };
}

async function start(): Promise<Kept> {
  const { dataDir, remove } = temporaryDataDir();
  // Should the keeper be killed, the standalone ends as it does when the npm that started it goes.
  const stripePort = await freePort();
  const standalone = await startStandalone(dataDir, {
    ...{ npm_package_name: 'subledger', STRIPE_STAND_IN: `http://127.0.0.1:${stripePort}` },
    ...PROXIED,
  });
  const { token } = await grantOperatorToken(standalone, ['admin'], ['*']);
  return {
    standalone,
    stripePort,
    allAppsToken: token,
    stop: async () => {
      const code = await standalone.stop();
      if (code !== 0) process.stderr.write(standalone.said());
      remove();
      return code;
    },
  };
}

/** Exits with 1 when the standalone did not stop in good order, so that the run fails. */
async function stop(): Promise<void> {
  server.close();
  const code = kept === undefined ? 0 : await kept.then((one) => one.stop()).catch(() => 1);
  process.exit(code === 0 ? 0 : 1);
}
