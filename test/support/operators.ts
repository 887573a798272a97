import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createCommandExecutor, type EventStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSeal, fixedMasterKeys, parseMasterKeys } from '#platform';
import { issueOperatorToken } from '#tenancy';
import type { RunningStandalone } from './standalone.js';

/** The event store of a standalone, as other programs of the same owner reach it. */
async function connectStore({ dataDir }: Pick<RunningStandalone, 'dataDir'>): Promise<EventStore> {
  const file = path.join(dataDir, 'event-store', 'connection-string');
  return connectEventStore((await readFile(file, 'utf8')).trim());
}

/** A new token, as `subledger operator-token issue` issues it. */
export async function grantOperatorToken(
  standalone: Pick<RunningStandalone, 'dataDir'>,
  roles: Parameters<typeof issueOperatorToken>[2]['wanted']['roles'],
  apps: readonly string[],
  name = 'test',
): Promise<{ id: string; token: string }> {
  const key = await readFile(path.join(standalone.dataDir, 'master.key'), 'utf8');
  const seal = createSeal(fixedMasterKeys(parseMasterKeys(key)));
  const store = await connectStore(standalone);
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
