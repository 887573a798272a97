import type { IndexEntry } from '#projection-engine/define';

/** A field in which two versions differ, each as canonical JSON; undefined where a version has no such field. */
export interface FieldDifference {
  /** The path of the field, `purpose.period.number` or `openRefunds[0].amount`; empty for the whole. */
  readonly field: string;
  readonly expected: string | undefined;
  readonly found: string | undefined;
}

/** The fields in which two states differ, as JSON has them: a field that is undefined is not there. */
export function compareStates(expected: unknown, found: unknown, field = ''): FieldDifference[] {
  if (expected === found) return [];
  if (Array.isArray(expected) && Array.isArray(found)) {
    const length = Math.max(expected.length, found.length);
    return Array.from({ length }, (_, at) => at).flatMap((at) =>
      compareStates(expected[at], found[at], `${field}[${at}]`),
    );
  }
  if (isObject(expected) && isObject(found)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
    return [...names].flatMap((name) =>
      compareStates(expected[name], found[name], field === '' ? name : `${field}.${name}`),
    );
  }
  return [{ field, expected: canonicalJson(expected), found: canonicalJson(found) }];
}

/** A place in a list, by the names that differences have: the list and the member, with the score as the value. */
export type ListedScores = ReadonlyMap<string, number>;

/** The list and the member of an entry, which identify an entry. */
function nameEntry({ index, member }: Pick<IndexEntry, 'index' | 'member'>): string {
  return `${index.join('/')} ${member}`;
}

/** The entries of one version by list and member. */
export function readScores(entries: readonly IndexEntry[]): ListedScores {
  return new Map(entries.map((entry) => [nameEntry(entry), entry.score]));
}

/** The entries that one version has and the other has not, or has at another score. */
export function compareEntries(expected: ListedScores, found: ListedScores): FieldDifference[] {
  const places = new Set([...expected.keys(), ...found.keys()]);
  return [...places].flatMap((place) =>
    compareStates(expected.get(place), found.get(place), place),
  );
}

/** JSON with names in their order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(byName)) : part,
  );
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
