import { readFile } from 'node:fs/promises';
import { SettingRefused } from '#platform';
import { SealingKeys } from './sealing-keys.js';

/** The settings that name the files with the keys of a sealer. */
export interface KeyFiles {
  /** SEAL_KEY_FILE */
  readonly sealKeyFile: string | undefined;
  /** SEAL_FORMER_KEY_FILE */
  readonly sealFormerKeyFile: string | undefined;
}

/** Reads the keys of a sealer from their files. @throws SettingRefused. */
export async function readSealingKeys(files: KeyFiles): Promise<SealingKeys> {
  const { sealKeyFile, sealFormerKeyFile } = files;
  if (sealKeyFile === undefined) {
    throw new SettingRefused(
      'SEAL_KEY_FILE is not set: name the file with the key that signs checkpoints. ' +
        'To make one: subledger seal key new FILE',
    );
  }
  const key = await readKeyFile('SEAL_KEY_FILE', sealKeyFile);
  const formerKey =
    sealFormerKeyFile === undefined
      ? undefined
      : await readKeyFile('SEAL_FORMER_KEY_FILE', sealFormerKeyFile);
  return new SealingKeys({ key, formerKey });
}

async function readKeyFile(setting: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingRefused(`${setting} names a file that cannot be read: ${why}`);
  }
}
