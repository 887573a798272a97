import { SettingRefused } from '#platform';

/** The oldest server that the ledger was run on, as major and minor number. */
const OLDEST_SUPPORTED = [23, 10] as const;
const OLDEST_SUPPORTED_VERSION = OLDEST_SUPPORTED.join('.');

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
