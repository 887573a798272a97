import type { FieldViolation } from '#domain/decider';
import { invalidFields } from '#nest';
import { parseTilePath, type Tile } from '#seal';

/** Two trees of the log, by their sizes. */
export interface Growth {
  readonly from: number;
  readonly to: number;
}

const SIZE = /^[1-9]\d{0,15}$/;
const NO_SIZE = `must be a whole number of leaves from 1 to ${Number.MAX_SAFE_INTEGER}`;
const NO_TILE =
  'must be the level and the number of a tile as C2SP tlog-tiles writes them, such as 0/x001/067 or 0/000.p/12';

/** Reads the sizes of a path. @throws ApiError 3 that names each bad one. */
export function parseGrowth(texts: { readonly from: string; readonly to: string }): Growth {
  const [from, to] = [Number(texts.from), Number(texts.to)];
  const bad: FieldViolation[] = Object.entries(texts)
    .filter(([, text]) => !(SIZE.test(text) && Number.isSafeInteger(Number(text))))
    .map(([field]) => ({ field, description: NO_SIZE }));
  if (bad.length === 0 && from > to) {
    bad.push({ field: 'from', description: `must not be greater than ${to}, the later size` });
  }
  if (bad.length > 0) throw invalidFields(bad);
  return { from, to };
}

/** Reads the path of a tile below `/seal/tile`. @throws ApiError 3; there is none of entries. */
export function parseTile(path: string): Tile {
  const tile = parseTilePath(`tile/${path}`);
  if (tile === undefined) throw invalidFields([{ field: 'path', description: NO_TILE }]);
  return tile;
}
