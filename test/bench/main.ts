/** `npm run bench -- NAME [--json]`: runs one benchmark. A new one is a line in the registry. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Benchmark, type BenchOptions, median } from './benchmark.js';

const BENCHMARKS: Readonly<Record<string, () => Promise<Benchmark>>> = {
  commands: async () => import('./commands.bench.js'),
  emmett: async () => import('./emmett.bench.js'),
  purchases: async () => import('./purchases.bench.js'),
  renewals: async () => import('./renewals.bench.js'),
  'scale-out': async () => import('./scale-out.bench.js'),
  reads: async () => import('./reads.bench.js'),
  rebuild: async () => import('./rebuild.bench.js'),
  'rebuild-reads': async () => import('./rebuild-reads.bench.js'),
  seal: async () => import('./seal.bench.js'),
  books: async () => import('./books.bench.js'),
  footprint: async () => import('./footprint.bench.js'),
  fairness: async () => import('./fairness.bench.js'),
  delivery: async () => import('./delivery.bench.js'),
  webshop: async () => import('./webshop.bench.js'),
  start: async () => import('./start.bench.js'),
};

const EXIT_BAD_USAGE = 2;

await main();

async function main(): Promise<void> {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        events: { type: 'string' },
        entries: { type: 'string' },
      },
    });
    const [name] = positionals;
    if (values.help) {
      console.log(await help());
      return;
    }
    const load = name === undefined ? undefined : BENCHMARKS[name];
    if (name === undefined || !load) {
      const known = Object.keys(BENCHMARKS).join(', ');
      throw new Error(`There is no benchmark "${name ?? ''}"; there are: ${known}.`);
    }
    const counts = { ...readCount('events', values), ...readCount('entries', values) };
    await run(name, await load(), values.json, counts);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = EXIT_BAD_USAGE;
  }
}

function readCount(
  name: 'events' | 'entries',
  values: Readonly<Record<string, unknown>>,
): BenchOptions {
  const { [name]: value } = values;
  if (value === undefined) return {};
  const count = Number(value);
  if (Number.isInteger(count) && count > 0) return { [name]: count };
  throw new Error(`--${name} must be a positive whole number, not ${JSON.stringify(value)}.`);
}

async function run(
  name: string,
  benchmark: Benchmark,
  json: boolean,
  counts: BenchOptions,
): Promise<void> {
  const result = await benchmark.run(counts);
  const { value, limit, unit, ratios, extra } = result;
  const ratio = Number((ratios === undefined ? value / limit : median(ratios)).toFixed(3));
  if (json) {
    const line = { bench: name, value: Math.round(value), limit: Math.round(limit), ratio, unit };
    console.log(JSON.stringify({ ...line, ...extra }));
    return;
  }
  console.log(`${name}: ${Math.round(value)} ${unit}, limit ${Math.round(limit)}, ratio ${ratio}`);
  for (const [key, figure] of Object.entries(extra ?? {})) {
    console.log(`  ${key}: ${JSON.stringify(figure)}`);
  }
}

async function help(): Promise<string> {
  const lines = ['usage: npm run bench -- NAME [--json] [--events N] [--entries N]', ''];
  for (const [name, load] of Object.entries(BENCHMARKS)) {
    lines.push(`  ${name.padEnd(14)} ${(await load()).description}`);
  }
  return lines.join('\n');
}
