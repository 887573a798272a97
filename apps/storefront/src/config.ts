import { egressVariables } from '#egress';
import { readConfig, variables } from '#platform';

/** The storefront's settings from its environment, parsed once. */
export type StorefrontConfig = ReturnType<typeof readStorefrontConfig>;

/** @throws Error with a line for every bad variable. */
export function readStorefrontConfig(env: NodeJS.ProcessEnv) {
  return readConfig(env, {
    eventStoreUrl: variables.eventStoreUrl,
    namespace: variables.streamNamespace,
    redisUrl: variables.redisUrl,
    host: variables.host,
    port: variables.storefrontPort,
    storefrontUrl: variables.storefrontUrl,
    logLevel: variables.logLevel,
    adminPort: variables.adminPort,
    masterKeys: variables.masterKeys,
    allowInsecureTargets: variables.allowInsecureTargets,
    webhookPorts: egressVariables.ports,
    webhookAuthorities: egressVariables.authorities,
    webhookProxy: egressVariables.proxy,
    sandboxInProductionApps: variables.sandboxInProductionApps,
    stripeStandIn: variables.stripeStandIn,
    trustedProxies: variables.trustedProxies,
    countryHeader: variables.countryHeader,
  });
}
