import path from 'node:path';
import { HOST } from '../limits.js';
import { OWNER_ONLY, writeDurably } from '../storage/durable-file.js';
import type { StoreAccess } from './store-access.js';

const FILE = 'connection-string';

/** The connection string of a secure store, in the form that a secure cluster takes. */
export function secureConnectionString(access: StoreAccess, port: number): string {
  const { user, password, authorityFile } = access;
  // People read this, so a slash stays as it is.
  const file = encodeURIComponent(authorityFile).replaceAll('%2F', '/');
  return `esdb://${user}:${encodeURIComponent(password)}@${HOST}:${port}?tls=true&tlsCAFile=${file}`;
}

/** The connection string of a store without credentials. */
export function insecureConnectionString(port: number): string {
  return `esdb://${HOST}:${port}?tls=false`;
}

/** A connection string as it may be shown: without its password. */
export function withoutPassword(connectionString: string): string {
  return connectionString.replace(/^([^:]+:\/\/[^:@/]+):[^@]*@/, '$1:PASSWORD@');
}

/**
 * Leaves the connection string in the data directory, for its owner alone: a command reads it
 * there, so that no password stands in a list of processes.
 *
 * @returns the file.
 */
export function writeConnectionString(dataDir: string, connectionString: string): string {
  const file = path.join(dataDir, FILE);
  writeDurably(file, `${connectionString}\n`, OWNER_ONLY);
  return file;
}
