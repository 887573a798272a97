import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createCommandExecutor } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSeal, fixedMasterKeys, parseMasterKeys } from '#platform';
import { issueOperatorToken } from '#tenancy';
import { readStoreUrl, type RunningStandalone } from './standalone.js';

/** A new token, as `subledger operator-token issue` issues it. */
export async function grantOperatorToken(
  standalone: Pick<RunningStandalone, 'dataDir'>,
  roles: Parameters<typeof issueOperatorToken>[2]['wanted']['roles'],
  apps: readonly string[],
  name = 'test',
): Promise<{ id: string; token: string }> {
  const key = await readFile(path.join(standalone.dataDir, 'master.key'), 'utf8');
  const seal = createSeal(fixedMasterKeys(parseMasterKeys(key)));
  const store = connectEventStore(await readStoreUrl(standalone));
  try {
    const wanted = { name, roles, apps, issuedBy: 'cli' };
    const issue = { wanted, lifetimeSeconds: 3600 };
    const result = await issueOperatorToken(createCommandExecutor(store), seal, issue);
    if (!result.accepted) throw new Error(`no operator token: ${result.rejection.code}`);
    return { id: result.issued.tokenId, token: result.token };
  } finally {
    await store.dispose();
  }
}
