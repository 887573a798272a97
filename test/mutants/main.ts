/**
 * `npm run mutants -- [NAME ...]`: takes guards out, one at a time, in a copy of the project, and sees that a test
 * turns red. No test fails by itself for fences, recovery and order.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Mutant } from './mutant.js';
import { MUTANTS } from './mutants.js';
import { ProjectCopy } from './project-copy.js';

const EXIT_SURVIVED = 1;
const EXIT_BAD_USAGE = 2;

const USAGE = `usage: npm run mutants -- [NAME ...] [--list] [--json]

Takes each of ${MUTANTS.length} guards out, in a copy of the project, and runs the specs that are to notice it.
NAME is a part of a name; without one, all are tried. It takes about ten seconds for each.`;

interface Tried extends Mutant {
  readonly outcome: 'noticed' | 'survived';
}

await main();

async function main(): Promise<void> {
  const { positionals, values } = parse();
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const chosen = MUTANTS.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
  if (chosen.length === 0) refuse(`No mutant is named ${positionals.join(', ')}.`);
  else if (values.list) list(chosen);
  else await tryInCopy(chosen, values.json);
}

async function tryInCopy(chosen: readonly Mutant[], isJson: boolean): Promise<void> {
  const copy = await ProjectCopy.create();
  const stop = () => void copy.remove().then(() => process.exit(EXIT_SURVIVED));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const specs = [...new Set(chosen.flatMap((mutant) => mutant.specs))];
    await requireGreen(copy, specs);
    report(await tryAll(copy, chosen), isJson);
    await requireGreen(copy, specs);
  } finally {
    await copy.remove();
  }
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
    return process.exit(EXIT_BAD_USAGE);
  }
}

function refuse(message: string): void {
  console.error(`${message}\n\n${USAGE}`);
  process.exitCode = EXIT_BAD_USAGE;
}

function list(mutants: readonly Mutant[]): void {
  for (const { name, harm } of mutants) console.log(`${name}\n  ${harm}`);
}

async function tryAll(copy: ProjectCopy, mutants: readonly Mutant[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const [at, mutant] of mutants.entries()) {
    await copy.change(mutant);
    const result = await copy.runSpecs(mutant.specs);
    await copy.restore(mutant);
    tried.push({ ...mutant, outcome: result.isGreen ? 'survived' : 'noticed' });
    progress(`${at + 1}/${mutants.length} ${tried.at(-1)?.outcome ?? ''}: ${mutant.name}`);
  }
  return tried;
}

/** Before and after: a spec that is red anyway notices nothing. */
async function requireGreen(copy: ProjectCopy, specs: readonly string[]): Promise<void> {
  progress(`${specs.length} specs without a mutant`);
  const { isGreen, output } = await copy.runSpecs(specs);
  if (!isGreen) throw new Error(`these specs are red without a mutant:\n${output}`);
}

function report(tried: readonly Tried[], isJson: boolean): void {
  const survived = tried.filter(({ outcome }) => outcome === 'survived');
  if (isJson) {
    const mutants = tried.map(({ name, outcome }) => ({ name, outcome }));
    console.log(JSON.stringify({ tried: tried.length, survived: survived.length, mutants }));
  } else {
    for (const { name, harm } of survived) console.log(`survived: ${name}\n  ${harm}`);
    console.log(`${tried.length} mutants tried, ${survived.length} survived`);
  }
  process.exitCode = survived.length === 0 ? 0 : EXIT_SURVIVED;
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
