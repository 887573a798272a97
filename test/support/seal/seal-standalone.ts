import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connectEventStore } from '#event-store/connect';
import { sealNow, SealingKeys } from '#sealing';
import { readStoreUrl } from '../standalone.js';

/** Seals all that a standalone has so far, with the key of its data directory, so that no test waits for a checkpoint. */
export async function sealStandalone(standalone: { readonly dataDir: string }): Promise<void> {
  const store = connectEventStore(await readStoreUrl(standalone));
  const keys = new SealingKeys({ key: findKey(standalone.dataDir) });
  try {
    await sealNow({ store, keys, originHost: 'subledger' });
  } finally {
    await store.dispose();
  }
}

function findKey(dataDir: string): string {
  const file = path.join(dataDir, 'seal.key');
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
    writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
  }
  return readFileSync(file, 'utf8');
}
