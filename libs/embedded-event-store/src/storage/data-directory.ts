import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EventStoreStartRefused, StoreDamaged } from '../failures.js';
import { writeDurably } from './durable-file.js';
import { isAbsent, findFileProblem } from './events-file.js';
import { makeDirectory } from './make-directory.js';

/** The version of everything below the directory; a change that old code can't read raises it. */
const DATA_FORMAT_VERSION = 4;

const FORMAT_FILE = 'format.json';
const FORMAT_NAME = 'subledger-event-store';
export const EVENTS_FILE = 'events.mdb';

/** Events are for the account that runs the store, and for no other one of the machine. */
const OWNER_ONLY_DIRECTORY = 0o700;
/** Whether a directory may hold a store, whole or damaged. It is only looked at. */
export function holdsStore(directory: string): boolean {
  return [FORMAT_FILE, EVENTS_FILE].some((name) => existsSync(path.join(directory, name)));
}

/** Creates the directory if need be. Throws `EventStoreStartRefused` if it can't be written to. */
export function ensureWritable(directory: string): void {
  try {
    makeDirectory(directory, OWNER_ONLY_DIRECTORY);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EventStoreStartRefused(
      `The data directory ${directory} can't be written to (${errorCode(error)}): ` +
        'give this user access to it or choose another one.',
    );
  }
}

/**
 * Looks whether the directory holds a store that this program can open, or may become one. The
 * caller holds the directory's lock. Throws `EventStoreStartRefused` if it does not.
 */
export function inspectDirectory(directory: string): { eventsFile: string; isNew: boolean } {
  const eventsFile = path.join(directory, EVENTS_FILE);
  const format = path.join(directory, FORMAT_FILE);
  const isNew = !existsSync(format);
  if (!isNew) checkFormat(directory, readFileSync(format, 'utf8'));
  if (isAbsent(eventsFile)) {
    if (!isNew) throw damaged(directory, 'its file of events is missing');
    return { eventsFile, isNew };
  }
  const problem = findFileProblem(eventsFile);
  if (problem !== undefined) throw damaged(directory, problem);
  return { eventsFile, isNew };
}

/**
 * Marks the directory as a store of this version. It is the last act of making a new one: without
 * the mark, a store with events in it is damaged, and one without events was never finished.
 */
export function writeFormat(directory: string): void {
  const text = JSON.stringify({ format: FORMAT_NAME, version: DATA_FORMAT_VERSION });
  writeDurably(path.join(directory, FORMAT_FILE), `${text}\n`);
}

/** The refusal of a directory with content that no store wrote, naming that content. */
export function damaged(directory: string, what: string): StoreDamaged {
  return new StoreDamaged(
    `The event store in ${directory} is damaged (${what}): restore the directory from a backup. ` +
      `"npm run event-store -- verify --data-dir ${directory}" reads all of it and tells more.`,
    what,
  );
}

/**
 * The refusal of a file that lmdb did not open. Lmdb's own errors begin with its name; all others are the system's (a
 * full disk, too many open files), and may be different the next time.
 */
export function unopened(directory: string, error: unknown): EventStoreStartRefused {
  const text = error instanceof Error ? error.message : String(error);
  if (text.startsWith('MDB_')) return damaged(directory, text);
  return new EventStoreStartRefused(`The events in ${directory} cannot be opened: ${text}.`);
}

function checkFormat(directory: string, text: string): void {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw damaged(directory, `${FORMAT_FILE} is not JSON`);
  }
  const { format, version } = (parsed ?? {}) as { format?: unknown; version?: unknown };
  if (format !== FORMAT_NAME || typeof version !== 'number') {
    throw damaged(directory, `${FORMAT_FILE} does not name an event store`);
  }
  if (version < DATA_FORMAT_VERSION) {
    throw new EventStoreStartRefused(
      `The data directory ${directory} has format version ${version}, and this program reads none ` +
        `below ${DATA_FORMAT_VERSION}: start with an empty directory.`,
    );
  }
  if (version > DATA_FORMAT_VERSION) {
    throw new EventStoreStartRefused(
      `The data directory ${directory} has format version ${version}, and this program reads up to ` +
        `version ${DATA_FORMAT_VERSION}: start it with the newer program that wrote it.`,
    );
  }
}

/** The code of a system error (`EACCES`), or its message. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'message' in error ? String(error.message) : 'unknown';
}
