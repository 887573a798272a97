import { readConfig, variables } from '#platform';

/** The bookkeeper's part of the environment, parsed once. */
export type BookkeeperConfig = ReturnType<typeof readBookkeeperConfig>;

/** @throws Error with a line for every bad variable. */
export function readBookkeeperConfig(env: NodeJS.ProcessEnv) {
  return readConfig(env, {
    eventStoreUrl: variables.eventStoreUrl,
    namespace: variables.streamNamespace,
    redisUrl: variables.redisUrl,
    instanceName: variables.instanceName,
    logLevel: variables.logLevel,
    host: variables.host,
    adminPort: variables.adminPort,
    sealKeyFile: variables.sealKeyFile,
    sealFormerKeyFile: variables.sealFormerKeyFile,
    sealOriginHost: variables.sealOriginHost,
    sealIntervalMs: variables.sealIntervalMs,
    booksDir: variables.booksDir,
    booksIntervalMs: variables.booksIntervalMs,
    bookkeeperPort: variables.bookkeeperPort,
    masterKeys: variables.optionalMasterKeys,
  });
}
