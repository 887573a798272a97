import { existsSync } from 'node:fs';
import path from 'node:path';
import { type MasterKeys, readConfig, variables } from '#platform';
import { CliError } from './cli-error.js';
import { readText } from './files.js';

/** The file that a standalone leaves in its data directory for programs of the same owner. */
const DEMO_FILE = 'demo.json';
const STORE_FILE = path.join('event-store', 'connection-string');
const REDIS_FILE = path.join('redis', 'connection-string');
const MASTER_KEY_FILE = 'master.key';
const SEAL_KEY_FILE = 'seal.key';
const BOOKS_DIR = 'books';

export interface DataDirOptions {
  readonly dataDir?: string;
}

/** The parts of demo.json that an operator needs. */
interface DemoFile {
  readonly baseUrl: string;
  readonly operatorToken: string;
  readonly appId: string;
}

/** The file about the demo app; the path is for messages. */
export function demoFileIn(options: DataDirOptions, env: NodeJS.ProcessEnv) {
  const file = path.join(chooseDataDir(options, env), DEMO_FILE);
  // The standalone writes it, in one step.
  return { file, demo: readJson(file) as DemoFile | undefined };
}

/**
 * The connection string of the event store: of the standalone in `--data-dir`, else EVENTSTOREDB_URL,
 * else of the standalone in DATA_DIR (./data).
 *
 * @throws CliError that says how to name one.
 */
export function findEventStoreUrl(options: DataDirOptions, env: NodeJS.ProcessEnv): string {
  if (isOfCluster(options, env)) {
    return readSettings(env, { eventStoreUrl: variables.eventStoreUrl }).eventStoreUrl;
  }
  const file = path.join(chooseDataDir(options, env), STORE_FILE);
  if (existsSync(file)) return readText(file).trim();
  throw new CliError(
    `Say which event store: ${file} is not there, so that no standalone has run there, and ` +
      'EVENTSTOREDB_URL is missing. Name the data directory of one with --data-dir or DATA_DIR.',
    'usage',
  );
}

/**
 * The address of the Redis that belongs to that event store: of the standalone, or REDIS_URL.
 *
 * @throws CliError that says how to name one.
 */
export function findRedisUrl(options: DataDirOptions, env: NodeJS.ProcessEnv): string {
  if (isOfCluster(options, env)) {
    return readSettings(env, { redisUrl: variables.redisUrl }).redisUrl;
  }
  const file = path.join(chooseDataDir(options, env), REDIS_FILE);
  if (existsSync(file)) return readText(file).trim();
  throw new CliError(
    `${file} is not there: a standalone writes it at its start, and an event store alone has no read models.`,
    'usage',
  );
}

/** The namespace of that event store: a standalone's is its own. @throws CliError for a bad one. */
export function findNamespace(options: DataDirOptions, env: NodeJS.ProcessEnv): string {
  const from = isOfCluster(options, env) ? env : {};
  return readSettings(from, { namespace: variables.streamNamespace }).namespace;
}

/** How long former generations of read models are kept, in milliseconds. @throws CliError for a bad setting. */
export function findFormerKeptMs(env: NodeJS.ProcessEnv): number {
  return readSettings(env, { formerKeptMs: variables.formerKeptMs }).formerKeptMs;
}

/** The master keys that belong to that event store. @throws CliError that says how to name them. */
export function findMasterKeys(options: DataDirOptions, env: NodeJS.ProcessEnv): MasterKeys {
  const file = path.join(chooseDataDir(options, env), MASTER_KEY_FILE);
  const isInFile = !isOfCluster(options, env) && existsSync(file);
  const isSet = env['MASTER_KEY'] !== undefined || env['MASTER_KEY_FILE'] !== undefined;
  const isFileFirst = options.dataDir !== undefined || !isSet;
  const from = isInFile && isFileFirst ? { MASTER_KEY_FILE: file } : env;
  return readSettings(from, { masterKeys: variables.masterKeys }).masterKeys;
}

/** The files with the keys that sign checkpoints of that event store: a standalone's is its own. */
export function findSealKeyFiles(options: DataDirOptions, env: NodeJS.ProcessEnv) {
  const file = path.join(chooseDataDir(options, env), SEAL_KEY_FILE);
  const { sealKeyFile, sealFormerKeyFile } = variables;
  const set = readSettings(env, { sealKeyFile, sealFormerKeyFile });
  const isFileFirst = options.dataDir !== undefined || set.sealKeyFile === undefined;
  const isInFile = !isOfCluster(options, env) && existsSync(file);
  return isInFile && isFileFirst ? { sealKeyFile: file, sealFormerKeyFile: undefined } : set;
}

/** The folder of the books: of the standalone, else BOOKS_DIR. It need not be there. @throws CliError for a bad setting. */
export function findBooksDir(options: DataDirOptions, env: NodeJS.ProcessEnv): string {
  const ofStandalone = path.join(chooseDataDir(options, env), BOOKS_DIR);
  if (options.dataDir !== undefined) return ofStandalone;
  const { booksDir } = readSettings(env, { booksDir: variables.booksDir });
  return booksDir === undefined ? ofStandalone : path.resolve(booksDir);
}

/** As `readConfig`; a missing or bad setting is an error of usage. */
function readSettings<Declared extends Parameters<typeof readConfig>[1]>(
  env: NodeJS.ProcessEnv,
  declared: Declared,
) {
  try {
    return readConfig(env, declared);
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error), 'usage');
  }
}

function isOfCluster({ dataDir }: DataDirOptions, env: NodeJS.ProcessEnv): boolean {
  return dataDir === undefined && (env['EVENTSTOREDB_URL'] ?? '').trim() !== '';
}

function chooseDataDir({ dataDir }: DataDirOptions, env: NodeJS.ProcessEnv): string {
  const given = dataDir ?? env['DATA_DIR']?.trim();
  return path.resolve(given === undefined || given === '' ? 'data' : given);
}

/** The content of a file; undefined when it is not there. @throws CliError when it is not readable. */
function readJson(file: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readText(file));
  } catch (error) {
    throw error instanceof CliError ? error : unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): CliError {
  const why = error instanceof Error ? error.message : String(error);
  return new CliError(`${file} cannot be read: ${why}.`, 'usage');
}
