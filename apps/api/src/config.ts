import { readConfig, variables } from '#platform';

/** What the API is told by its environment, parsed once. */
export type ApiConfig = ReturnType<typeof readApiConfig>;

/** @throws Error with a line for every bad variable. */
export function readApiConfig(env: NodeJS.ProcessEnv) {
  const config = readConfig(env, {
    eventStoreUrl: variables.eventStoreUrl,
    redisUrl: variables.redisUrl,
    masterKey: variables.masterKey,
    host: variables.host,
    port: variables.port,
    baseUrl: variables.baseUrl,
    logLevel: variables.logLevel,
    adminPort: variables.adminPort,
    allowInsecureTargets: variables.allowInsecureTargets,
    sandboxInProductionApps: variables.sandboxInProductionApps,
  });
  let ownUrl = `http://${config.host}:${config.port}`;
  return {
    ...config,
    /** How others reach the API: BASE_URL, or its own address once it listens. */
    publicUrl: (): string => config.baseUrl ?? ownUrl,
    /** Called once the port is known (PORT=0 picks a free one). */
    listensAt: (url: string): void => void (ownUrl = url),
  };
}
