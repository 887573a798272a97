import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { enterShop, shopLink } from '../support/shop-client.js';
import type { RunningStandalone } from '../support/standalone.js';
import { median, progress } from './benchmark.js';
import { loadOverHttp } from './http-load.js';
import { readSpentMs, type RunningProgram, startProgram } from './program.js';
import { stayAwake } from './stay-awake.js';

const IN_FLIGHT = 32;
/** More than pages come in 5 s, so that each page asks for its catalog (rules/webshop 3). */
const PLAYERS = 2_000;
const ENTERING_AT_ONCE = 16;
const ROUNDS = 15;
const ROUND_SECONDS = 1;
const WARM_UP_SECONDS = 4;

/** A server under load: where, as which process, and by which cookies. */
interface Side {
  readonly url: string;
  readonly pid: number;
  readonly cookies: readonly string[];
  /** Where the next round begins, so that no player comes again soon. */
  next: number;
}

/** Pages of the shop with 40 items, against a bare route with the same catalog and the same bytes, in turns. */
export async function comparePages(
  { demo, dataDir, findPid }: Pick<RunningStandalone, 'demo' | 'dataDir' | 'findPid'>,
  backend: ApiClient,
  catalog: RunningProgram,
) {
  const cookies = await enterAll(backend);
  const ours: Side = {
    url: demo.storefrontUrl,
    pid: await findPid('storefront'),
    cookies,
    next: 0,
  };
  const file = path.join(dataDir, 'page.html');
  const page = await askOnce(ours);
  await writeFile(file, page);
  const env = { PAGE_FILE: file, CATALOG_URL: String(catalog.ready['url']) };
  const program = await startProgram('test/bench/bare-shop.js', env);
  const raw: Side = { url: String(program.ready['url']), pid: program.pid, cookies: [''], next: 0 };
  try {
    await measure(raw, WARM_UP_SECONDS);
    const first = await showEachOnce(ours);
    await countCalls(catalog);
    const rounds: { ours: Rate; raw: Rate; calls: number }[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const rate = await measure(ours, ROUND_SECONDS);
      const calls = await countCalls(catalog);
      rounds.push({ ours: rate, raw: await measure(raw, ROUND_SECONDS), calls });
      await countCalls(catalog);
    }
    const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of));
    return {
      ours: middle((round) => round.ours.perSecond),
      bare: middle((round) => round.raw.perSecond),
      ratios: rounds.map((round) => round.ours.perSecond / round.raw.perSecond),
      cpuMsPerPage: {
        ours: Number(middle((round) => round.ours.cpuMs).toFixed(3)),
        bare: Number(middle((round) => round.raw.cpuMs).toFixed(3)),
      },
      firstPages: { perSecond: Math.round(first.perSecond), cpuMs: Number(first.cpuMs.toFixed(3)) },
      callsPerPage: Number(middle(({ calls, ours: one }) => calls / one.pages).toFixed(2)),
      bytes: page.length,
    };
  } finally {
    await program.stop();
  }
}

interface Rate {
  readonly pages: number;
  readonly perSecond: number;
  readonly cpuMs: number;
}

/** A player's first page reads streams that later ones know. @returns the rate of the last of these. */
async function showEachOnce(side: Side): Promise<Rate> {
  let rate = await measure(side, WARM_UP_SECONDS);
  while (side.next * IN_FLIGHT < PLAYERS) rate = await measure(side, ROUND_SECONDS);
  return rate;
}

async function measure(side: Side, seconds: number): Promise<Rate> {
  const { url, pid, cookies } = side;
  const requests = cookies.map(
    (cookie) =>
      ({ method: 'GET', path: '/shop', headers: { accept: 'text/html', cookie } }) as const,
  );
  const requestsFor = (connection: number) => {
    const first =
      (side.next + Math.floor((connection * requests.length) / IN_FLIGHT)) % requests.length;
    return [...requests.slice(first), ...requests.slice(0, first)];
  };
  const spentBeforeMs = readSpentMs(pid);
  const sleepAgain = stayAwake();
  const load = { url, connections: IN_FLIGHT, seconds, requestsFor };
  const { perSecond } = await loadOverHttp(load).finally(sleepAgain);
  const pages = Math.round(perSecond * seconds);
  side.next += Math.ceil(pages / IN_FLIGHT);
  return { pages, perSecond, cpuMs: (readSpentMs(pid) - spentBeforeMs) / pages };
}

async function enterAll(backend: ApiClient): Promise<string[]> {
  progress(`${PLAYERS} players enter the shop ...`);
  const cookies: string[] = [];
  let begun = 0;
  const enter = async () => {
    while (begun < PLAYERS) {
      begun += 1;
      cookies.push(await enterShop(await shopLink(backend, `visitor-${begun}`)));
    }
  };
  await Promise.all(Array.from({ length: ENTERING_AT_ONCE }, enter));
  return cookies;
}

async function askOnce({ url, cookies: [cookie = ''] }: Side): Promise<string> {
  const answer = await fetch(`${url}/shop`, { headers: { cookie, accept: 'text/html' } });
  const text = await answer.text();
  if (answer.ok) return text;
  throw new Error(`HTTP ${answer.status}: ${text}`);
}

async function countCalls(catalog: RunningProgram): Promise<number> {
  return Number(await (await fetch(`${String(catalog.ready['url'])}/calls`)).text());
}
