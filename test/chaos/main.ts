/** `npm run chaos -- NAME [--rounds N]`: breaks things on purpose and looks whether promises hold. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { ChaosModule } from './chaos.js';

const MODULES: Readonly<Record<string, () => Promise<ChaosModule>>> = {
  'event-store': async () => import('./event-store.chaos.js'),
};

const EXIT_BAD_USAGE = 2;

await main();

async function main(): Promise<void> {
  const { name, rounds } = parse();
  const load = name === undefined ? undefined : MODULES[name];
  if (!load || Number.isNaN(rounds)) {
    const known = Object.keys(MODULES).join(', ');
    console.error(`usage: npm run chaos -- NAME [--rounds N], where NAME is one of: ${known}.`);
    process.exitCode = EXIT_BAD_USAGE;
    return;
  }
  const module = await load();
  try {
    const options = { rounds: rounds ?? module.defaultRounds, progress: console.error };
    console.log(await module.run(options));
    process.exit(0);
  } catch (error) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  }
}

function parse(): { name?: string; rounds?: number } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { rounds: { type: 'string' } },
    });
    const [name] = positionals;
    const isCount = values.rounds === undefined || /^[1-9]\d{0,6}$/.test(values.rounds);
    const rounds = isCount ? Number(values.rounds) : Number.NaN;
    return {
      ...(name === undefined ? {} : { name }),
      ...(values.rounds === undefined ? {} : { rounds }),
    };
  } catch {
    return {};
  }
}
