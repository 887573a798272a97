import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { masterKeyId, parseMasterKeys, syncDirectory } from '#platform';
import { CliError } from '../cli-error.js';
import { readText } from '../files.js';

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;
const PERMISSIONS = 0o777;

/**
 * Puts a new key before the one in a file; a file that holds several keys is being rotated already, and
 * stays as it is. The file is changed in one step, and is on the disk before anything is sealed under it.
 *
 * @returns whether a key was added. @throws CliError where the file cannot be written.
 */
export async function addMasterKey(file: string): Promise<boolean> {
  return exchange(file, (keys) =>
    keys.length > 1 ? undefined : [randomBytes(KEY_BYTES), ...keys],
  );
}

/**
 * Leaves the first key alone in a file.
 *
 * @param presentId of the key under which everything is sealed. @throws CliError where another one is the first
 *   by now, or the file cannot be written.
 */
export async function dropFormerKeys(file: string, presentId: string): Promise<void> {
  await exchange(file, ([first, ...others]) => {
    if (first === undefined || others.length === 0) return undefined;
    if (masterKeyId(first) === presentId) return [first];
    throw new CliError(`The first key in ${file} is another one by now: rotate again.`);
  });
}

/**
 * Only one of several may do this at a time: an overwritten key would lose the secrets that were sealed under it. The
 * file is read when no other one can change it any more.
 */
async function exchange(
  file: string,
  change: (keys: readonly Buffer[]) => readonly Buffer[] | undefined,
): Promise<boolean> {
  const temporary = `${file}.rotating`;
  const handle = await claim(temporary, file);
  let isOurs = true;
  try {
    const keys = change(parseMasterKeys(readText(file)));
    if (keys === undefined) return false;
    await keepAccess(handle, file);
    await handle.writeFile(keys.map((key) => `${key.toString('base64')}\n`).join(''));
    await handle.sync();
    await rename(temporary, file);
    isOurs = false;
    // A key that is not on the disk may be gone after a power cut, when secrets are sealed under it.
    await syncDirectory(path.dirname(file));
    return true;
  } finally {
    await handle.close();
    if (isOurs) await rm(temporary, { force: true });
  }
}

/** Those who could read the file can read it still: the programs may run as others than this one. */
async function keepAccess(handle: FileHandle, file: string): Promise<void> {
  const { mode, uid, gid } = await stat(file);
  const own = await handle.stat();
  try {
    if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid);
    await handle.chmod(mode & PERMISSIONS);
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(
      `${file} belongs to another account (${message}): rotate as that one, or as root.`,
    );
  }
}

async function claim(temporary: string, file: string): Promise<FileHandle> {
  try {
    return await open(temporary, 'wx', OWNER_ONLY);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new CliError(`Another rotation changes ${file}; if none runs, delete ${temporary}.`);
    }
    throw new CliError(
      `${file} cannot be changed here (${message}): put a new key before the present one yourself.`,
    );
  }
}
