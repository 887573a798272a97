import type { ClusterAddress } from './cluster.js';

/** The address of one server as the library reads it: the path of a socket has no scheme. */
export function toServerAddress(url: string): string {
  return url.replace(/^unix:(\/\/)?/, '');
}

/** The library's options for a connection to any node of a cluster. */
export function toNodeOptions({ username, password, isSecure }: ClusterAddress) {
  return {
    ...(username && { username }),
    ...(password && { password }),
    ...(isSecure && { tls: {} }),
  };
}
