/**
 * Names that every object of JavaScript has (`constructor`, `toString`). No rule of a DTO is asked about
 * them, so that unknown fields of these names would be taken (rules/api 2): class-transformer leaves
 * them out when it fills a DTO, and class-validator looks them up in an object that inherits them.
 */
const RESERVED_NAMES: readonly string[] = Object.getOwnPropertyNames(Object.prototype);
/** Never a name of the caller's own: an object that is copied field by field would get another prototype by it. */
const PROTOTYPE = '__proto__';
/** A step of a path that stands for each entry of a list. */
const EACH = '*';

/** Whether a field or parameter must not be called so. */
export function isReservedName(name: string): boolean {
  return RESERVED_NAMES.includes(name);
}

/** From the body to an object: names of fields, and numbers of entries. */
export type Path = readonly (string | number)[];

/**
 * Whether a field of the object there must not be called so.
 *
 * @param freeNamesAt where names are the caller's own, such as `items.*.metadata`.
 */
export function isReservedNameAt(
  path: Path,
  name: string,
  freeNamesAt: readonly string[],
): boolean {
  if (!isReservedName(name)) return false;
  return name === PROTOTYPE || !freeNamesAt.some((free) => matches(path, free.split('.')));
}

function matches(path: Path, steps: readonly string[]): boolean {
  const isStep = (step: string | number, at: number) =>
    typeof step === 'number' ? steps[at] === EACH : steps[at] === step && step !== EACH;
  return path.length === steps.length && path.every(isStep);
}
