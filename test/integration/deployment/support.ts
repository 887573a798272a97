import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The parser that the API's documents are written with, so that the repository needs no other. */
const requireHere = createRequire(import.meta.url);
const { load, YAML11_SCHEMA } = createRequire(requireHere.resolve('@nestjs/swagger'))(
  'js-yaml',
) as {
  load: (text: string, options: { schema: unknown }) => unknown;
  /** The one that knows `<<`, which Compose reads as well. */
  YAML11_SCHEMA: unknown;
};

export interface ComposeService {
  readonly profiles?: readonly string[];
  readonly image: string;
  readonly command?: readonly string[] | string;
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<
    Record<string, { readonly condition: string; readonly required?: boolean }>
  >;
}

/** The services of docker-compose.yml by name, with their shared parts put into each. */
export function readServices(): Readonly<Record<string, ComposeService>> {
  const text = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
  const { services } = load(text, { schema: YAML11_SCHEMA }) as {
    services: Record<string, ComposeService>;
  };
  return services;
}

/** `${NAME:-value}` becomes the value, and `${NAME:?advice}`, which has to be given, `given`. */
export function interpolate(
  environment: Readonly<Record<string, string>>,
  given: string,
): Record<string, string> {
  const entries = Object.entries(environment).map(([name, value]) => {
    const text = value.replace(/\$\{\w+:-(.*)\}/, '$1').replace(/\$\{\w+:\?.*\}/, given);
    return [name, text] as const;
  });
  return Object.fromEntries(entries);
}

/** An instruction of the Dockerfile: `COPY`, and its words. */
export interface Instruction {
  readonly name: string;
  readonly words: readonly string[];
}

/** The instructions of the Dockerfile, a list for each stage. */
export function readStages(): readonly (readonly Instruction[])[] {
  const stages: Instruction[][] = [];
  for (const line of readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8').split('\n')) {
    const [name = '', ...words] = line.trim().split(/\s+/);
    if (name === '' || name.startsWith('#')) continue;
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, words });
  }
  return stages;
}

/** The copies of a stage: the source stage, if from another one, and the paths there. */
export function listCopies(stage: readonly Instruction[]) {
  return stage
    .filter(({ name }) => name === 'COPY')
    .map(({ words }) => {
      const [from] = words.filter((word) => word.startsWith('--from='));
      const paths = words.filter((word) => !word.startsWith('--')).slice(0, -1);
      return { from: from?.slice('--from='.length), paths };
    });
}
