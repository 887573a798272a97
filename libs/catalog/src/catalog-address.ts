import type { CatalogSettings } from '#domain/app';

/** Where the catalog of a player is asked for, of the settings of an app. */
export type CatalogPlace = Pick<CatalogSettings, 'baseUrl' | 'path'>;

/** `{baseUrl}{path}`, below which all players' catalogs are (rules/catalog 2). */
export function catalogFolder({ baseUrl, path }: CatalogPlace): string {
  return `${withoutEndingSlashes(baseUrl)}${withoutEndingSlashes(path)}`;
}

/**
 * `/{player}?lang={language}`, with the player's id percent-encoded.
 *
 * @returns undefined for an id that no address can hold: `.` and `..` mean the folder above, also where they are
 *   percent-encoded, so that another address than the player's would be asked.
 */
export function catalogInFolder(playerId: string, language: string): string | undefined {
  if (/^\.{0,2}$/.test(playerId)) return undefined;
  return `/${encodeURIComponent(playerId)}?lang=${encodeURIComponent(language)}`;
}

function withoutEndingSlashes(text: string): string {
  return text.replace(/\/+$/, '');
}
