import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { connectEventStore } from '#event-store/connect';
import { sealNow, SealingKeys } from '#sealing';
import { readStoreUrl } from '../standalone.js';

/** Seals all that a standalone has so far, with the key of its data directory, so that no test waits for a checkpoint. */
export async function sealStandalone(standalone: { readonly dataDir: string }): Promise<void> {
  const store = connectEventStore(await readStoreUrl(standalone));
  const key = await readFile(path.join(standalone.dataDir, 'seal.key'), 'utf8');
  try {
    await sealNow({ store, keys: new SealingKeys({ key }), originHost: 'subledger' });
  } finally {
    await store.dispose();
  }
}
