import { egressVariables } from '#egress';
import { readConfig, variables } from '#platform';

/** The API's configuration, parsed once from its environment. */
export type ApiConfig = ReturnType<typeof readApiConfig>;

/** @throws Error with a line for every bad variable. */
export function readApiConfig(env: NodeJS.ProcessEnv) {
  return readConfig(env, {
    eventStoreUrl: variables.eventStoreUrl,
    namespace: variables.streamNamespace,
    redisUrl: variables.redisUrl,
    masterKeys: variables.masterKeys,
    host: variables.host,
    port: variables.port,
    storefrontUrl: variables.storefrontUrl,
    logLevel: variables.logLevel,
    adminPort: variables.adminPort,
    requestsPerSecond: variables.requestsPerSecond,
    playerRequestsPerSecond: variables.playerRequestsPerSecond,
    allowInsecureTargets: variables.allowInsecureTargets,
    webhookPorts: egressVariables.ports,
    webhookAuthorities: egressVariables.authorities,
    webhookProxy: egressVariables.proxy,
    formerKeptMs: variables.formerKeptMs,
    sealPublic: variables.sealPublic,
    bookkeeperUrl: variables.bookkeeperUrl,
    sandboxInProductionApps: variables.sandboxInProductionApps,
    stripeStandIn: variables.stripeStandIn,
  });
}
