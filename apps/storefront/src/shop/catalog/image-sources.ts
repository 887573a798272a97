import type { CreatedApp } from '#domain/app';

/**
 * Where a page of the shop may load pictures from: any server by https, and in a test app the one that the catalog
 * comes from, which may be the developer's own machine (rules/webshop 3).
 */
export function listImageSources({
  environment,
  catalog,
}: Pick<CreatedApp, 'environment' | 'catalog'>): readonly string[] {
  if (environment !== 'test' || catalog === null) return ['https:'];
  return ['https:', new URL(catalog.baseUrl).origin];
}
