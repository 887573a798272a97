import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { type RunningProgram, startProgram } from '../support/program.js';
import { enterShop, shopLink } from '../support/shop-client.js';
import type { RunningStandalone } from '../support/standalone.js';
import { CONNECTIONS, loadAwake, type Rate, type Server } from './awake-load.js';
import { measureRate, median, progress } from './benchmark.js';

/** More than pages come in 5 s, so that each page asks for its catalog (rules/webshop 3). */
const PLAYERS = 2_000;
const ENTERING_AT_ONCE = 16;
const ROUNDS = 15;
const ROUND_SECONDS = 1;
const WARM_UP_SECONDS = 4;

/** A server, and the cookies of those who ask it. */
interface Side extends Server {
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
  const program = await startProgram('test/bench/bare.js', env, { args: ['shop'] });
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
      callsPerPage: Number(middle(({ calls, ours: one }) => calls / one.answers).toFixed(2)),
      bytes: page.length,
    };
  } finally {
    await program.stop();
  }
}

/** A player's first page reads streams that later ones know. @returns the rate of the last of these. */
async function showEachOnce(side: Side): Promise<Rate> {
  let rate = await measure(side, WARM_UP_SECONDS);
  while (side.next * CONNECTIONS < PLAYERS) rate = await measure(side, ROUND_SECONDS);
  return rate;
}

async function measure(side: Side, seconds: number): Promise<Rate> {
  const requests = side.cookies.map(
    (cookie) =>
      ({ method: 'GET', path: '/shop', headers: { accept: 'text/html', cookie } }) as const,
  );
  const rate = await loadAwake(side, requests, seconds, side.next);
  side.next += Math.ceil(rate.answers / CONNECTIONS);
  return rate;
}

async function enterAll(backend: ApiClient): Promise<string[]> {
  progress(`${PLAYERS} players enter the shop ...`);
  const cookies: string[] = [];
  await measureRate(PLAYERS, ENTERING_AT_ONCE, async (n) => {
    cookies.push(await enterShop(await shopLink(backend, `visitor-${n}`)));
  });
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
