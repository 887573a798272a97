import { egressVariables } from '#egress';
import { readConfig, variables } from '#platform';

/** The worker's part of the environment, parsed once. */
export type WorkerConfig = ReturnType<typeof readWorkerConfig>;

/** @throws Error with a line for every bad variable. */
export function readWorkerConfig(env: NodeJS.ProcessEnv) {
  return readConfig(env, {
    eventStoreUrl: variables.eventStoreUrl,
    namespace: variables.streamNamespace,
    redisUrl: variables.redisUrl,
    instanceName: variables.instanceName,
    masterKeys: variables.masterKeys,
    logLevel: variables.logLevel,
    host: variables.host,
    adminPort: variables.adminPort,
    allowInsecureTargets: variables.allowInsecureTargets,
    webhookPorts: egressVariables.ports,
    webhookAuthorities: egressVariables.authorities,
    webhookProxy: egressVariables.proxy,
    storefrontUrl: variables.storefrontUrl,
    sandboxInProductionApps: variables.sandboxInProductionApps,
    stripeStandIn: variables.stripeStandIn,
  });
}
