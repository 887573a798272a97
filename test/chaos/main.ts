/** `npm run chaos -- NAME`: breaks things on purpose and looks whether promises hold. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { BadUsage, type ChaosModule, type ChaosOptions, type ChaosResult } from './chaos.js';

const MODULES: Readonly<Record<string, () => Promise<ChaosModule>>> = {
  'billing-model': async () => import('./billing-model.chaos.js'),
  books: async () => import('./books.chaos.js'),
  edge: async () => import('./edge.chaos.js'),
  'event-store': async () => import('./event-store.chaos.js'),
  failover: async () => import('./failover.chaos.js'),
  'full-disk': async () => import('./full-disk.chaos.js'),
  gates: async () => import('./gates.chaos.js'),
  kills: async () => import('./kills.chaos.js'),
  projections: async () => import('./projections.chaos.js'),
  proxies: async () => import('./proxies.chaos.js'),
  'redis-cluster': async () => import('./redis-cluster.chaos.js'),
  seals: async () => import('./seals.chaos.js'),
  'shop-model': async () => import('./shop-model.chaos.js'),
  webhooks: async () => import('./webhooks.chaos.js'),
};

const EXIT_FOUND = 1;
const EXIT_BAD_USAGE = 2;
const BAR_WIDTH = 30;

await main();

async function main(): Promise<void> {
  try {
    const { name, isHelp, isJson, options } = parse();
    if (isHelp) {
      console.log(await help());
      return;
    }
    const load = MODULES[name];
    if (!load) throw new BadUsage(`There is no "${name}"; there are: ${names().join(', ')}.`);
    const result = await (await load()).run({ ...options, progress: drawBar });
    print(name, result, isJson);
    process.exit(result.findings.length === 0 ? 0 : EXIT_FOUND);
  } catch (error) {
    const isUsage = error instanceof BadUsage;
    console.error(error instanceof Error ? (isUsage ? error.message : error.stack) : String(error));
    process.exit(isUsage ? EXIT_BAD_USAGE : EXIT_FOUND);
  }
}

/** @throws BadUsage naming the bad argument. */
function parse() {
  const { positionals, values } = argumentsGiven();
  const [name = ''] = positionals;
  const options: Omit<ChaosOptions, 'progress'> = {
    rounds: countIn('rounds', values.rounds, 1),
    requests: countIn('requests', values.requests, 1),
    seed: countIn('seed', values.seed, 0),
    only: countIn('only', values.only, 0),
  };
  return { name, isHelp: values.help, isJson: values.json, options };
}

function argumentsGiven() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string' },
        requests: { type: 'string' },
        seed: { type: 'string' },
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    // Its TypeErrors name the error; those of others, such as fetch's, are no bad usage.
    throw new BadUsage(error instanceof Error ? error.message : String(error));
  }
}

function countIn(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new BadUsage(`--${name} must be a whole number from ${least}, not "${text}".`);
}

function print(name: string, { summary, figures, findings }: ChaosResult, isJson: boolean): void {
  if (isJson) {
    console.log(JSON.stringify({ chaos: name, ...figures, findings }));
    return;
  }
  console.log(summary);
  for (const finding of findings) console.error(finding);
}

/** A bar in a terminal; a line at each tenth where the output is kept. */
function drawBar(done: number, of: number, text: string): void {
  const part = done / of;
  if (process.stderr.isTTY) {
    const bar = '#'.repeat(Math.round(part * BAR_WIDTH)).padEnd(BAR_WIDTH, '.');
    process.stderr.write(`\r[${bar}] ${done}/${of} ${text}${done === of ? '\n' : ''}`);
  } else if (done === of || done % Math.ceil(of / 10) === 0) {
    console.error(`${done}/${of} ${text}`);
  }
}

async function help(): Promise<string> {
  const lines = ['usage: npm run chaos -- NAME [--json] [--help], with what NAME takes:', ''];
  for (const [name, load] of Object.entries(MODULES)) {
    lines.push(`  ${name.padEnd(15)} ${(await load()).description}`);
  }
  return [...lines, '', 'It exits with 1 when a promise was broken, and says which.'].join('\n');
}

function names(): readonly string[] {
  return Object.keys(MODULES);
}
