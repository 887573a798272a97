/**
 * Price conversion over HTTP, signed, of 100 ids with tax and rounding, against a bare Fastify route
 * that parses the same request and sends the same bytes. Each server is a process of its own; they
 * take turns in several rounds, and the API converts from a full sheet of 200,000 rows.
 */
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { signature } from '../support/api-client.js';
import { readConnectionString } from '../support/connection-string.js';
import { startRedis } from '../support/redis.js';
import { type BenchResult, median, progress } from './benchmark.js';
import { stayAwake } from './stay-awake.js';
import {
  conversionBody,
  createTenant,
  LARGE_SHEET_ROWS,
  measureNewQuotes,
  SMALL_SHEET_ROWS,
  type Tenant,
  uploadPrices,
} from './convert-tenant.js';
import { readSpentMs, type RunningProgram, startProgram } from './program.js';

export const description =
  'signed conversions of 100 ids with tax and rounding, against a bare Fastify route with the same bytes';

const PATH = '/sdk/server/prices/convert';
const IN_FLIGHT = 16;
/** Many short rounds: a slow moment of the machine falls on both sides, and medians pass it over. */
const ROUNDS = 21;
const ROUND_SECONDS = 1;

/** One of the servers, and what it is asked. */
interface Side {
  readonly program: RunningProgram;
  readonly url: string;
  readonly headers: () => Record<string, string>;
}

interface Round {
  readonly requestsPerSecond: number;
  readonly cpuUsPerRequest: number;
}

export async function run(): Promise<BenchResult> {
  const masterKey = randomBytes(32);
  const redis = await startRedis();
  const store = await startProgram('programs/event-store.js', {}, true);
  const eventStoreUrl = readConnectionString(store.ready);
  // The first one opens the ledger, without which no API starts.
  const small = await createTenant(eventStoreUrl, masterKey);
  const api = await startProgram('programs/api.js', {
    EVENTSTOREDB_URL: eventStoreUrl,
    REDIS_URL: redis.url,
    MASTER_KEY: masterKey.toString('base64'),
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  try {
    const url = String(api.ready['url']);
    progress(`uploading ${SMALL_SHEET_ROWS} and ${LARGE_SHEET_ROWS} rows ...`);
    const large = await createTenant(eventStoreUrl, masterKey);
    await uploadPrices(url, small, SMALL_SHEET_ROWS);
    await uploadPrices(url, large, LARGE_SHEET_ROWS);
    return await compareWithBare(api, url, small, large);
  } finally {
    await api.stop();
    await store.stop();
    await redis.stop();
  }
}

async function compareWithBare(
  api: RunningProgram,
  url: string,
  small: Tenant,
  large: Tenant,
): Promise<BenchResult> {
  const answerFile = path.join(tmpdir(), `subledger-bench-${process.pid}.json`);
  const answer = await askOnce(url, large);
  await writeFile(answerFile, answer);
  const bare = await startProgram('test/bench/bare-convert.js', { ANSWER_FILE: answerFile });
  try {
    const bareUrl = String(bare.ready['url']);
    if ((await askOnce(bareUrl, large)) !== answer) throw new Error('the bytes are not the same');
    const ours = { program: api, url, headers: () => signedHeaders(large) };
    const limit = { program: bare, url: bareUrl, headers: () => signedHeaders(large) };
    return await compare(ours, { ...ours, headers: () => signedHeaders(small) }, limit);
  } finally {
    await bare.stop();
    await rm(answerFile);
  }
}

async function compare(large: Side, small: Side, bare: Side): Promise<BenchResult> {
  progress('warming up ...');
  for (const side of [large, small, bare]) await measure(side);
  const rounds: Record<'large' | 'small' | 'bare', Round[]> = { large: [], small: [], bare: [] };
  const ratios: number[] = [];
  for (let number = 1; number <= ROUNDS; number += 1) {
    const ours = await measure(large);
    const limit = await measure(bare);
    rounds.large.push(ours);
    rounds.bare.push(limit);
    rounds.small.push(await measure(small));
    const ratio = ours.requestsPerSecond / limit.requestsPerSecond;
    ratios.push(ratio);
    progress(`round ${number}: ${print(ours)}, bare ${print(limit)}, ratio ${ratio.toFixed(3)}`);
  }
  const rate = (of: readonly Round[]) => median(of.map((one) => one.requestsPerSecond));
  const cpu = (of: readonly Round[]) => Math.round(median(of.map((one) => one.cpuUsPerRequest)));
  return {
    value: rate(rounds.large),
    limit: rate(rounds.bare),
    unit: 'conversions/s',
    ratios,
    extra: {
      cpuUsPerRequest: { ours: cpu(rounds.large), bare: cpu(rounds.bare) },
      conversionsPerSecondByRows: {
        [SMALL_SHEET_ROWS]: Math.round(rate(rounds.small)),
        [LARGE_SHEET_ROWS]: Math.round(rate(rounds.large)),
      },
      newQuoteUsByRows: measureNewQuotes(),
    },
  };
}

async function measure({ program, url, headers }: Side): Promise<Round> {
  const cpuBeforeMs = readSpentMs(program.pid);
  const result = await load(`${url}${PATH}`, headers());
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} conversions were refused, ${result.errors} failed`);
  }
  const cpuUs = (readSpentMs(program.pid) - cpuBeforeMs) * 1_000;
  const answered = result['2xx'];
  return {
    requestsPerSecond: answered / result.duration,
    cpuUsPerRequest: cpuUs / answered,
  };
}

/** Server and load generator have a processor each: the generator can afford not to sleep. */
async function load(url: string, headers: Record<string, string>): Promise<autocannon.Result> {
  const body = conversionBody();
  const sleepAgain = stayAwake();
  try {
    const options = { method: 'POST', connections: IN_FLIGHT, duration: ROUND_SECONDS } as const;
    return await autocannon({ url, headers, body, ...options });
  } finally {
    sleepAgain();
  }
}

async function askOnce(url: string, tenant: Tenant): Promise<string> {
  const answer = await fetch(`${url}${PATH}`, {
    method: 'POST',
    headers: signedHeaders(tenant),
    body: conversionBody(),
  });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
  return answer.text();
}

function signedHeaders(tenant: Tenant): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-service-hmac-signature': signature(tenant, conversionBody()),
  };
}

function print({ requestsPerSecond, cpuUsPerRequest }: Round): string {
  return `${requestsPerSecond.toFixed(0)}/s (${cpuUsPerRequest.toFixed(0)} us)`;
}
