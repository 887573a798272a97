import type { EventStoreDBClient } from '@eventstore/db-client';
import { SettingRefused, withTimeLimit } from '#platform';
import { exposeInternals } from './client-internals.js';
import { toFault } from './errors.js';
import { READ_IDLE_MS } from '../streams/limits.js';

/** The oldest server that the ledger was run on, as major and minor number. */
const OLDEST_SUPPORTED = [23, 10] as const;
const OLDEST_SUPPORTED_VERSION = OLDEST_SUPPORTED.join('.');

/** Such as `23.10.8`; `unknown` of a server that does not tell. @throws Fault. */
export async function readServerVersion(client: EventStoreDBClient): Promise<string> {
  try {
    const { capabilities } = exposeInternals(client);
    return (await withTimeLimit(capabilities, READ_IDLE_MS, 'the event store')).serverVersion;
  } catch (error) {
    throw toFault(error, 'asking for the version');
  }
}

/** Whether a version is not too old. All that are supported tell theirs. */
export function isSupportedVersion(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  if (major === undefined || minor === undefined) return false;
  const [oldestMajor, oldestMinor] = OLDEST_SUPPORTED;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** @throws SettingRefused for a version that is too old. */
export function requireSupportedVersion(version: string): void {
  if (isSupportedVersion(version)) return;
  throw new SettingRefused(
    `The event store at EVENTSTOREDB_URL is of version ${version}, and ${OLDEST_SUPPORTED_VERSION} ` +
      'is the oldest that is supported.',
  );
}
