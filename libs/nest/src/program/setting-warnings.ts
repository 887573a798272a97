/** The settings that are named at a start, of those programs that have them. */
export interface WarnedSettings {
  readonly sandboxInProductionApps?: 'trial' | 'none';
  readonly storefrontUrl?: string;
}

/**
 * Warnings about the settings at each start: settings that are fine on one machine, and lead players or money astray
 * elsewhere.
 *
 * @param env the environment that the settings were read from.
 */
export function warnOfSettings(config: WarnedSettings, env: NodeJS.ProcessEnv): readonly string[] {
  const warnings: string[] = [];
  if (config.sandboxInProductionApps === 'trial') {
    warnings.push('trial run: production apps, too, can be paid with test cards; no money moves');
  }
  const { storefrontUrl } = config;
  if (storefrontUrl !== undefined && (env['STOREFRONT_URL'] ?? '').trim() === '') {
    warnings.push(
      `STOREFRONT_URL is not set: players are led to ${storefrontUrl}, which is there on this machine alone`,
    );
  }
  return warnings;
}
