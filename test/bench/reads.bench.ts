/**
 * Reads over HTTP: a page of 50 payments that is asked for again and again, pages of as many that are not
 * remembered, a subscription by its id, and the plans of an app, each against a bare Fastify route that
 * sends the same bytes from one GET. API and bare route are processes of their own beside one Redis; they
 * take turns in several rounds under one load generator.
 */
import { Redis } from 'ioredis';
import { listNodeFlags } from '../../apps/standalone/src/node-flags.js';
import { signature } from '../support/api-client.js';
import { loadAwake, type Rate, type Server } from './awake-load.js';
import { type BenchResult, median, progress } from './benchmark.js';
import { createReadsTenant, type ReadsTenant } from './reads-tenant.js';
import { Stage } from './stage.js';

export const description =
  'a remembered page of 50 payments, pages that are not, a subscription, the plans of an app, against a bare route';

/** Many short rounds: a slow moment of the machine falls on both sides, and medians pass it over. */
const ROUNDS = 9;
const ROUND_SECONDS = 1;
const READY_LIMIT_MS = 60_000;
const POLL_MS = 50;
/** Of the pages that are read in turn: 50, 49, 51, 48 and so on. */
const LIMITS = Array.from({ length: 21 }, (_, at) => 50 + (at % 2 === 0 ? at : -at - 1) / 2);

/** One thing that is read, or several of the same length in turn: where, and in whose name. */
interface Read {
  readonly name: string;
  readonly paths: readonly string[];
  readonly credentials: () => Record<string, string>;
}

interface Servers {
  readonly api: Server;
  readonly bare: Server;
  readonly redis: Redis;
}

export function run(): Promise<BenchResult> {
  return Stage.with(async (stage) => {
    progress('writing the tenant ...');
    const tenant = await createReadsTenant(stage);
    await stage.start('projector', { LOG_LEVEL: 'warn' });
    // Both run as the standalone starts an API.
    const start = async (name: string, args: readonly string[] = []): Promise<Server> => {
      const options = { args, nodeFlags: listNodeFlags('api') };
      const { ready, pid } = await stage.start(name, { LOG_LEVEL: 'warn' }, options);
      return { url: String(ready['url']), pid };
    };
    const api = await start('api');
    const bare = await start('test/bench/bare.js', ['read']);
    const redis = new Redis(stage.redis.url);
    stage.atEnd(() => redis.disconnect());
    return compareAll({ api, bare, redis }, tenant);
  });
}

async function compareAll(servers: Servers, tenant: ReadsTenant): Promise<BenchResult> {
  const found: Record<string, Awaited<ReturnType<typeof compare>>> = {};
  for (const read of createReads(tenant)) found[read.name] = await compare(servers, read);
  const { payments, ...others } = found;
  if (payments === undefined) throw new Error('payments were read');
  return {
    value: payments.ours,
    limit: payments.bare,
    unit: 'pages/s',
    extra: { payments, ...others },
  };
}

function createReads(tenant: ReadsTenant): Read[] {
  const [id = ''] = tenant.subscriptionIds;
  // More pages than an API remembers: each is read and made anew. They are of 40 to 60 payments, 50 on average.
  const anew = LIMITS.flatMap((limit) =>
    tenant.subscriptionIds.map((each) => `/sdk/subscriptions/${each}/payments?limit=${limit}`),
  );
  const asBackend = () => ({ 'x-service-hmac-signature': signature(tenant, '') });
  const asPlayer = () => ({ authorization: `Bearer ${tenant.playerToken}` });
  return [
    { name: 'payments', paths: [`/sdk/subscriptions/${id}/payments`], credentials: asBackend },
    { name: 'subscription', paths: [`/sdk/subscriptions/${id}`], credentials: asBackend },
    { name: 'plans', paths: ['/sdk/plans'], credentials: asPlayer },
    // Last: its garbage is of hundreds of pages, and is none of the others'.
    { name: 'paymentsAnew', paths: anew, credentials: asBackend },
  ];
}

async function compare({ api, bare, redis }: Servers, read: Read) {
  const answer = await askUntilShown(api.url, read);
  await redis.set(read.name, answer);
  const ours = (seconds: number) => measure(api, read.paths, read.credentials(), seconds);
  const raw = (seconds: number) => measure(bare, [`/${read.name}`], read.credentials(), seconds);
  for (const warmUp of [ours, raw, ours, raw]) await warmUp(ROUND_SECONDS);
  const rounds: { ours: Rate; bare: Rate }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    rounds.push({ ours: await ours(ROUND_SECONDS), bare: await raw(ROUND_SECONDS) });
  }
  const rate = (side: 'ours' | 'bare') => median(rounds.map((round) => round[side].perSecond));
  const cpuUs = (side: 'ours' | 'bare') =>
    Math.round(median(rounds.map((round) => round[side].cpuMs * 1_000)));
  const ratios = rounds.map((round) => round.ours.perSecond / round.bare.perSecond);
  const result = {
    ours: Math.round(rate('ours')),
    bare: Math.round(rate('bare')),
    ratio: Number(median(ratios).toFixed(3)),
    cpuUsPerRequest: { ours: cpuUs('ours'), bare: cpuUs('bare') },
    bytes: answer.length,
  };
  progress(`${read.name}: ${JSON.stringify(result)}`);
  return result;
}

function measure(
  server: Server,
  paths: readonly string[],
  headers: Record<string, string>,
  seconds: number,
): Promise<Rate> {
  const requests = paths.map((path) => ({ method: 'GET', path, headers }) as const);
  return loadAwake(server, requests, seconds);
}

/** The answer, once the read models show the last write. */
async function askUntilShown(url: string, read: Read): Promise<string> {
  const endsAt = performance.now() + READY_LIMIT_MS;
  for (;;) {
    const answer = await fetch(`${url}${read.paths[0]}`, { headers: read.credentials() });
    const text = await answer.text();
    if (answer.ok) return text;
    if (performance.now() > endsAt) throw new Error(`HTTP ${answer.status}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
