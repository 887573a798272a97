import { describe, expect, it } from 'vitest';
import { isSupportedVersion, requireSupportedVersion } from '../maintenance/inspection.js';

describe('the version of a server', () => {
  it.each(['23.10.0', '23.10.8', '24.2.0', '24.10.4', '25.1.0.1452', 'v26.0.1', '26.1.0'])(
    'is supported: %s',
    (version) => expect(isSupportedVersion(version)).toBe(true),
  );

  it.each(['23.6.0', '22.10.5', '5.0.11', 'unknown', ''])('is too old: %s', (version) => {
    expect(isSupportedVersion(version)).toBe(false);
    expect(() => requireSupportedVersion(version)).toThrow(
      /23\.10 is the oldest that is supported/,
    );
  });
});
