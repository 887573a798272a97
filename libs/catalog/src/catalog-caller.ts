import type { CreatedApp } from '#domain/app';
import type { AllowedPorts, EgressConnections, TargetRules } from '#egress';
import type { AppSecrets } from '#tenancy';
import { callCatalog, type CatalogAnswer, SENT_HEADERS } from './call-catalog.js';
import { catalogFolder, catalogInFolder } from './catalog-address.js';
import { failedCall } from './parse-catalog.js';

/** Which addresses the operator allows, as for webhooks (rules/http 1). */
export interface TargetSettings {
  readonly allowInsecureTargets: 'none' | 'test-apps';
  readonly webhookPorts: AllowedPorts;
}

/** Whose catalog is asked for, and how the player likes to read. */
export interface AskedCatalog {
  readonly playerId: string;
  /** As the backend gets it. */
  readonly language: string;
}

/** A call as an operator may see it. */
export interface DescribedCall {
  /** Empty for a player's id that no address can hold. */
  readonly url: string;
  /** The key is masked. */
  readonly headers: Readonly<Record<string, string>>;
}

/** In the place of the studio's key. */
const MASKED = '***';

interface CatalogCallerOptions {
  readonly secrets: Pick<AppSecrets, 'open'>;
  readonly connections: EgressConnections;
  readonly settings: TargetSettings;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
}

/** Calls the catalogs of apps as they are set, each time: nothing is shared, kept, or given up (rules/catalog 2). */
export class CatalogCaller {
  /** The judgment of an address is remembered with its rules: these are the same for all calls. */
  readonly #rules: Readonly<Record<CreatedApp['environment'], TargetRules>>;

  constructor(private readonly options: CatalogCallerOptions) {
    const { settings } = options;
    this.#rules = {
      production: targetRules({ environment: 'production' }, settings),
      test: targetRules({ environment: 'test' }, settings),
    };
  }

  /** @throws Fault where our side failed: the proxy or this machine, or the program stops. */
  async call(app: CreatedApp, asked: AskedCatalog, limitMs?: number): Promise<CatalogAnswer> {
    const { secrets, connections, signal } = this.options;
    if (app.catalog === null) return { parsed: failedCall('not_configured') };
    const apiKey = secrets.open(app.appId, 'catalog API key', app.catalog.sealedApiKey);
    const rules = this.#rules[app.environment];
    const { playerId, language } = asked;
    const settings = app.catalog;
    const common = { playerId, language, app, settings, apiKey, rules, connections, signal };
    return callCatalog(limitMs === undefined ? common : { ...common, limitMs });
  }

  /** @returns undefined for an app whose catalog was never set. */
  describe(
    { catalog }: CreatedApp,
    { playerId, language }: AskedCatalog,
  ): DescribedCall | undefined {
    if (catalog === null) return undefined;
    const below = catalogInFolder(playerId, language);
    const url = below === undefined ? '' : `${catalogFolder(catalog)}${below}`;
    return { url, headers: { ...SENT_HEADERS, [catalog.apiKeyHeader]: MASKED } };
  }
}

/** http and loopback are for test apps, where the operator says so. */
export function targetRules(
  { environment }: Pick<CreatedApp, 'environment'>,
  { allowInsecureTargets, webhookPorts: ports }: TargetSettings,
): TargetRules {
  return { allowInsecure: environment === 'test' && allowInsecureTargets === 'test-apps', ports };
}
