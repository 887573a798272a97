import { isIPv6 } from 'node:net';
import type { StandaloneConfig } from './command-line.js';
import { usablePort } from './free-port.js';

/**
 * Picks where API and storefront listen and how they are reached, as their variables. The API gets the
 * storefront's address for its links. Only the API has a port of its own for health.
 *
 * @throws StartRefused when a port is taken.
 */
export async function pickAddresses({ host, adminPort, baseUrl, ...config }: StandaloneConfig) {
  const port = await usablePort(config.port, host, { name: 'API', variable: 'PORT' });
  const storefront = { name: 'storefront', variable: 'STOREFRONT_PORT' };
  const storefrontPort = await usablePort(config.storefrontPort, host, storefront);
  const storefrontUrl = config.storefrontUrl ?? `http://${reachableHost(host)}:${storefrontPort}`;
  return {
    storefrontUrl,
    api: {
      HOST: host,
      PORT: String(port),
      STOREFRONT_URL: storefrontUrl,
      ...(baseUrl !== undefined && { BASE_URL: baseUrl }),
      ...(adminPort !== undefined && { ADMIN_PORT: String(adminPort) }),
    },
    storefront: {
      ...{ HOST: host, STOREFRONT_PORT: String(storefrontPort) },
      STOREFRONT_URL: storefrontUrl,
    },
  };
}

/** The host in an address of this machine: a program that listens everywhere is reached by loopback. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}
