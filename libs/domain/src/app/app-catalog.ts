import type { AppEvent, CatalogKey, CatalogSettings } from './app.events.js';

/** The catalog as an operator sets it, its key sealed. */
export interface WantedCatalog extends CatalogSettings {
  /** Whether the key is the one that the app has, which each seal shows otherwise. */
  readonly isKeyKept: boolean;
}

/** Where an app's catalog is asked for from now on (rules/catalog 1); nothing, where it is so already. */
export function decideCatalog(
  { isKeyKept, ...wanted }: WantedCatalog,
  present: CatalogSettings | null,
): readonly AppEvent[] {
  // It may have been sealed anew since it was looked at: a former master key is not to come back.
  const { sealedApiKey } = isKeyKept && present !== null ? present : wanted;
  const data = { ...wanted, sealedApiKey };
  const isSame =
    isKeyKept &&
    data.baseUrl === present?.baseUrl &&
    data.path === present.path &&
    data.apiKeyHeader === present.apiKeyHeader;
  return isSame ? [] : [{ type: 'app.catalog_configured.v1', data }];
}

/** The key under the present master key; nothing, where it is another one meanwhile. */
export function resealCatalogKey(
  resealed: ReadonlyMap<string, string>,
  present: CatalogKey | null,
): readonly AppEvent[] {
  const sealedApiKey = present === null ? undefined : resealed.get(present.sealedApiKey);
  if (sealedApiKey === undefined) return [];
  return [{ type: 'app.catalog_key_resealed.v1', data: { sealedApiKey } }];
}
