/**
 * Names that every object of JavaScript has (`constructor`, `toString`). No rule of a DTO is asked about
 * them, so that unknown fields of these names would be taken (rules/api 2): class-transformer leaves
 * them out when it fills a DTO, and class-validator looks them up in an object that inherits them.
 */
const RESERVED_NAMES: readonly string[] = Object.getOwnPropertyNames(Object.prototype);
/** Any of them as a whole string, or an escape, with which anything can be spelt. */
const SUSPICIOUS = new RegExp(`"(?:${RESERVED_NAMES.join('|')})"|\\\\u`);

/** Whether a field or parameter must not be called so. */
export function isReservedName(name: string): boolean {
  return RESERVED_NAMES.includes(name);
}

/** Whether a JSON text may have such a name, or half a surrogate pair: nearly none does. */
export function isSuspicious(json: string): boolean {
  return SUSPICIOUS.test(json);
}
