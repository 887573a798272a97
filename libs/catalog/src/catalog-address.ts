import type { CatalogSettings } from '#domain/app';

/** Where the catalog of a player is asked for, of the settings of an app. */
export type CatalogPlace = Pick<CatalogSettings, 'baseUrl' | 'path'>;

/**
 * `{baseUrl}{path}/{player}?lang={language}` (rules/catalog 2), with the player's id percent-encoded.
 *
 * @returns undefined for an id that no address can hold: `.` and `..` mean the folder above, also where they are
 *   percent-encoded, so that another address than the player's would be asked.
 */
export function catalogUrl(
  { baseUrl, path }: CatalogPlace,
  playerId: string,
  language: string,
): string | undefined {
  const folder = `${withoutEndingSlashes(baseUrl)}${withoutEndingSlashes(path)}`;
  const url = `${folder}/${encodeURIComponent(playerId)}?lang=${encodeURIComponent(language)}`;
  return /^\.{0,2}$/.test(playerId) ? undefined : url;
}

function withoutEndingSlashes(text: string): string {
  return text.replace(/\/+$/, '');
}
