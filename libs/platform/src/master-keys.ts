import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const KEY_BYTES = 32;
/** A file is short and in memory: reading it each second costs nothing, and a rotation need not wait. */
export const KEY_FILE_RECHECK_MS = 1000;
/** A present key, one that is to come, and a few former ones: more is a mistake. */
const MAX_KEYS = 16;

/** The master keys of a process: the first one seals, each of them opens (rules/storage 4). */
export interface MasterKeys {
  /** At least one, and the same buffers as long as they are the same keys. */
  list(): readonly Buffer[];
  /** Looks for keys that came since: a text was met that none of these opens. */
  refresh(): void;
  /** The variables that give a program of our own the same keys. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Keys that are the same as long as the process runs. */
export function fixedMasterKeys(keys: readonly Buffer[]): MasterKeys {
  const text = keys.map((key) => key.toString('base64')).join(',');
  return { list: () => keys, refresh: () => undefined, environment: { MASTER_KEY: text } };
}

/**
 * Keys that stand in a file, which is read anew when they are used and were read more than a second ago: a
 * rotation needs no restart. A file that cannot be read, or understood, changes nothing in a process that
 * runs.
 *
 * @throws Error when it cannot be read, or understood, at first.
 */
export function masterKeysInFile(file: string, nowMs = () => performance.now()): MasterKeys {
  const read = () => parseMasterKeys(readFileSync(file, 'utf8'));
  let keys: readonly Buffer[];
  try {
    keys = read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`is in ${file}, which cannot be used: ${why}`);
  }
  let readAtMs = nowMs();
  let isReadable = true;
  const refresh = () => {
    readAtMs = nowMs();
    try {
      keys = keep(keys, read());
      isReadable = true;
    } catch (error) {
      // The keys read before are still good, until another program seals under a key that is not known here.
      const why = error instanceof Error ? error.message : String(error);
      if (isReadable) process.emitWarning(`MASTER_KEY_FILE cannot be read any more: ${why}`);
      isReadable = false;
    }
  };
  const list = () => {
    if (nowMs() - readAtMs >= KEY_FILE_RECHECK_MS) refresh();
    return keys;
  };
  return { list, refresh, environment: { MASTER_KEY_FILE: path.resolve(file) } };
}

/**
 * Keys as they stand in a variable or a file: each 32 bytes in base64, with commas or white space
 * between them. @throws Error that does not show them.
 */
export function parseMasterKeys(text: string): readonly Buffer[] {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => Buffer.from(part, 'base64'));
  // The values themselves are secrets and stay out of the message.
  if (keys.length === 0 || keys.some(({ length }) => length !== KEY_BYTES)) {
    throw new Error(
      'must be 32 bytes in base64 (openssl rand -base64 32), or several with commas between them',
    );
  }
  if (keys.length > MAX_KEYS) throw new Error(`must hold at most ${MAX_KEYS} keys`);
  return keys;
}

/** Derived keys are remembered by the buffer of their key, so that a key that stays keeps them. */
function keep(before: readonly Buffer[], after: readonly Buffer[]): readonly Buffer[] {
  return after.map((key) => before.find((known) => known.equals(key)) ?? key);
}
