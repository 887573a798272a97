import { readConfig, variables } from '#platform';

/** The projector's part of the environment, parsed once. */
export type ProjectorConfig = ReturnType<typeof readProjectorConfig>;

/** @throws Error with a line for every bad variable. */
export function readProjectorConfig(env: NodeJS.ProcessEnv) {
  return readConfig(env, {
    eventStoreUrl: variables.eventStoreUrl,
    namespace: variables.streamNamespace,
    redisUrl: variables.redisUrl,
    instanceName: variables.instanceName,
    logLevel: variables.logLevel,
    host: variables.host,
    adminPort: variables.adminPort,
    formerKeptMs: variables.formerKeptMs,
  });
}
