import { createContext, Script } from 'node:vm';
import type { EventNames } from '../append/event-names.js';
import { InvalidArgument } from '../failures.js';
import { MAX_REGEX_LENGTH, REGEX_CHUNK_TIMEOUT_MS } from '../limits.js';
import type { FilterRequest } from '../protobuf/read-request.js';

/** Says of each name whether it is wanted. A link is judged by itself, not its target. */
type NameFilter = (names: readonly string[]) => boolean[];

/** Says of each event from one position to another whether it is wanted. */
export type EventFilter = (first: number, last: number) => boolean[];

/** Throws `InvalidArgument` for an expression that can't be compiled. */
export function filterEvents(request: FilterRequest | undefined, names: EventNames): EventFilter {
  if (!request) return (first, last) => new Array<boolean>(last - first + 1).fill(true);
  const filter = compileFilter(request);
  return (first, last) => filter(names.list(request.on, first, last));
}

/** Throws `InvalidArgument` for an expression that can't be compiled. */
export function compileFilter({ regex, prefixes }: FilterRequest): NameFilter {
  if (regex !== '') return regexFilter(compileRegex(regex));
  return (names) => names.map((name) => prefixes.some((prefix) => name.startsWith(prefix)));
}

/**
 * EventStoreDB's expressions are .NET's. The anchors that JavaScript lacks are translated; an expression that it still
 * can't compile is refused rather than matched wrongly.
 */
function compileRegex(source: string): RegExp {
  if (source.length > MAX_REGEX_LENGTH) {
    throw new InvalidArgument(`A regular expression has at most ${MAX_REGEX_LENGTH} characters.`);
  }
  const ignoresCase = source.startsWith('(?i)');
  const translated = source
    .slice(ignoresCase ? 4 : 0)
    .replace(/(?<!\\)((?:\\\\)*)\\A/g, '$1^')
    .replace(/(?<!\\)((?:\\\\)*)\\[zZ]/g, '$1$');
  const flags = ignoresCase ? 'i' : '';
  try {
    return new RegExp(translated, `${flags}u`);
  } catch {
    // .NET tolerates escapes that JavaScript's unicode mode does not.
  }
  try {
    return new RegExp(translated, flags);
  } catch (error) {
    throw new InvalidArgument(
      `The regular expression "${source}" can't be used: ${error instanceof Error ? error.message : ''}`,
    );
  }
}

/**
 * A pattern can take for ever on a name made for it, and would stop the whole server. Whole chunks
 * are therefore matched under a time limit, which only `vm` can put on synchronous code. The limit is a
 * thread for each chunk, though, which costs more than all else for a live subscription: patterns that
 * are quick on every name do without.
 */
function regexFilter(regex: RegExp): NameFilter {
  if (isQuick(regex.source)) return (names) => names.map((name) => regex.test(name));
  const scope: { names: readonly string[]; regex: RegExp } = { names: [], regex };
  const context = createContext(scope);
  return (names) => {
    scope.names = names;
    try {
      // The script below answers with one boolean a name.
      return MATCH_NAMES.runInContext(context, { timeout: REGEX_CHUNK_TIMEOUT_MS }) as boolean[];
    } catch {
      throw new InvalidArgument('The regular expression takes too long on the names it meets.');
    } finally {
      scope.names = [];
    }
  };
}

const MATCH_NAMES = new Script('Array.from(names, (name) => regex.test(name))');

/** Steps that an expression may take on one name without a time limit: some milliseconds. */
const STEPS_AT_MOST = 1_000_000;
const ESCAPED_OR_CLASS = /\\.|\[(?:\\.|[^\]\\])*\]/gsu;
/** Repetition, and groups that look around: how often they try again depends on the name. */
const REPEATS_OR_LOOKS = /[*+{]|\?(?!:)|(?<!\()\?:/u;

/**
 * Whether an expression is quick on every name, however it is made. One that repeats nothing and begins
 * where the name does can be tried in as many ways as its alternatives can be combined.
 */
export function isQuick(source: string): boolean {
  const structure = source.replace(ESCAPED_OR_CLASS, 'x');
  if (!structure.startsWith('^') || REPEATS_OR_LOOKS.test(structure)) return false;
  return countWays(structure) * source.length <= STEPS_AT_MOST;
}

/** Alternatives add up, and successive parts multiply. */
function countWays(structure: string): number {
  const outer: { sum: number; product: number }[] = [];
  let group = { sum: 0, product: 1 };
  for (const character of structure) {
    if (character === '(') {
      outer.push(group);
      group = { sum: 0, product: 1 };
    } else if (character === '|') {
      group = { sum: group.sum + group.product, product: 1 };
    } else if (character === ')') {
      const ways = group.sum + group.product;
      const { sum, product } = outer.pop() ?? { sum: 0, product: 1 };
      group = { sum, product: product * ways };
    }
  }
  return group.sum + group.product;
}
