import process from 'node:process';
import type { FinanceApp } from '#finance';
import type { GatewayBooks } from '#gateway';
import { listBooks, type Secrets } from '#gateway/apps';
import { createSeal, type MasterKeys, readConfig, variables } from '#platform';
import { createAppSecrets } from '#tenancy';

/** The books of the app's gateways. @param masterKeys are read where an app has keys of its own. */
export function openGatewayBooks(
  { store, commands, appId }: FinanceApp,
  masterKeys: () => MasterKeys,
): Promise<readonly GatewayBooks[]> {
  const { signal } = new AbortController();
  return listBooks({ store, commands, appId, ...readGatewayAccess(masterKeys), signal });
}

/** The means to ask gateways. @param masterKeys are read where an app has keys of its own. */
export function readGatewayAccess(masterKeys: () => MasterKeys) {
  const secrets: Secrets = {
    open: (...sealed) => createAppSecrets(createSeal(masterKeys())).open(...sealed),
  };
  const { stripeStandIn } = readConfig(process.env, { stripeStandIn: variables.stripeStandIn });
  return { secrets, stripeStandIn };
}
