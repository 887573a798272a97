import type { Answer, ApiClient } from '../../support/api-client.js';
import { sealStandalone } from '../../support/seal/seal-standalone.js';

type Call = (client: ApiClient, method: string, path: string) => Promise<Answer>;

/** Seals a ledger, and reads its seals as a witness does. @param refused is answered with a refusal. */
export async function readSeals(
  { call, refused }: { readonly call: Call; readonly refused: Call },
  { allApps, operator }: { readonly allApps: ApiClient; readonly operator: ApiClient },
  standalone: { readonly dataDir: string },
): Promise<void> {
  await sealStandalone(standalone);
  const { text } = await call(allApps, 'GET', '/seal/checkpoint');
  const [, size = ''] = text.split('\n');
  await call(allApps, 'GET', `/seal/consistency/${Math.ceil(Number(size) / 2)}/${size}`);
  await refused(allApps, 'GET', `/seal/consistency/1/${Number.MAX_SAFE_INTEGER}`);
  await refused(operator, 'GET', '/seal/checkpoint');
}
