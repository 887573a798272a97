import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type MasterKeys, masterKeysInFile, syncDirectory } from '#platform';
import { holdsStore, makeDirectory } from '#embedded-event-store/storage';

/** Secrets are for the account that runs the ledger, and for no other one of the machine. */
const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;
const MASTER_KEY_BYTES = 32;
/** Two starts at once must not write the same temporary file. */
const SUFFIX_BYTES = 8;

/** Why a start is refused: one clear sentence for the person at the terminal. */
export class StartRefused extends Error {}

/** The folders of a data directory, made where they are missing. @throws StartRefused. */
export async function openDataDir(dataDir: string) {
  const folders = {
    eventStore: path.join(dataDir, 'event-store'),
    redis: path.join(dataDir, 'redis'),
    logs: path.join(dataDir, 'logs'),
  };
  try {
    for (const folder of [dataDir, ...Object.values(folders)]) {
      makeDirectory(folder, OWNER_ONLY_DIRECTORY);
      const probe = path.join(folder, '.writable');
      await writeFile(probe, '');
      await rm(probe);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartRefused(
      `The data directory ${dataDir} cannot be written: ${why}. Set DATA_DIR to one that can.`,
    );
  }
  return folders;
}

/**
 * Refuses a data directory whose key is lost: a new one would open none of the secrets in it, and
 * hide the loss (rules/running 3). Looks, and writes nothing.
 *
 * @throws StartRefused.
 */
export function refuseLostMasterKey(dataDir: string): void {
  const file = path.join(dataDir, 'master.key');
  const store = path.join(dataDir, 'event-store');
  if (existsSync(file) || !holdsStore(store)) return;
  throw new StartRefused(
    `${file} is missing, and ${store} has events whose secrets were sealed with it. Restore the ` +
      'file from a backup, set MASTER_KEY if that was set before, or set DATA_DIR to an empty directory.',
  );
}

/**
 * The master keys of a data directory: one is made at the first start, kept with mode 0600 (rules/running
 * 3), and others are put before it by `subledger master-key rotate`.
 */
export async function masterKeysIn(dataDir: string): Promise<MasterKeys> {
  const file = path.join(dataDir, 'master.key');
  if (!existsSync(file)) {
    await makeKeyFile(file, `${randomBytes(MASTER_KEY_BYTES).toString('base64')}\n`);
  }
  try {
    return masterKeysInFile(file);
  } catch {
    throw new StartRefused(
      `${file} is damaged: it must hold 32 bytes in base64. Restore it from a backup; without it the ` +
        'secrets in this data directory cannot be opened.',
    );
  }
}

/** The file with the key that signs checkpoints: made at the first start, with mode 0600 (rules/evidence 6). */
export async function openSealKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'seal.key');
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    await makeKeyFile(file, String(privateKey.export({ format: 'pem', type: 'pkcs8' })));
  }
  return file;
}

/**
 * The key gets its name only when it is whole and on the disk: a start that is cut short must not
 * leave half a key. Linking fails where there is a key: one that is lost takes every secret with
 * it.
 */
async function makeKeyFile(file: string, content: string): Promise<void> {
  const temporary = `${file}.${randomBytes(SUFFIX_BYTES).toString('hex')}.new`;
  try {
    const handle = await open(temporary, 'wx', OWNER_ONLY_FILE);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(temporary, file);
    // A name that is not on the disk may be gone after a power cut, when secrets are sealed already.
    await syncDirectory(path.dirname(file));
  } catch (error) {
    // Another start was first: its key is used.
    if (!isExists(error)) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Writes a file of secrets in one step, readable by its owner alone. */
export async function writeSecretFile(file: string, content: string): Promise<void> {
  const temporary = `${file}.new`;
  await writeFile(temporary, content, { mode: OWNER_ONLY_FILE });
  await chmod(temporary, OWNER_ONLY_FILE);
  await rename(temporary, file);
}

function isExists(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST';
}
