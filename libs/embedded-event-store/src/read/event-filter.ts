import { createContext, Script } from 'node:vm';
import { InvalidArgument } from '../failures.js';
import { MAX_REGEX_LENGTH, REGEX_CHUNK_TIMEOUT_MS } from '../limits.js';
import {
  contentOffset,
  isScavenged,
  recordStreamName,
  recordType,
  STREAM_OFFSET,
  typeOffset,
  type LoggedRecord,
} from '../storage/record.js';
import type { FilterRequest } from '../protobuf/read-request.js';
import { isQuick } from './expression-cost.js';

/** Says of each record of a chunk whether it is wanted. A link is judged by itself, not its target. */
export type EventFilter = (chunk: readonly LoggedRecord[]) => boolean[];

/** Throws `InvalidArgument` for an expression that can't be compiled. What is scavenged is never wanted. */
export function compileFilter(request: FilterRequest | undefined): EventFilter {
  if (!request) return (chunk) => chunk.map(({ record }) => !isScavenged(record));
  const filter = compileNames(request);
  return (chunk) => {
    const wanted = filter(chunk);
    return chunk.map(({ record }, index) => wanted[index] === true && !isScavenged(record));
  };
}

function compileNames(request: FilterRequest): EventFilter {
  if (request.regex !== '') return regexFilter(request.on, compileRegex(request.regex));
  return prefixFilter(
    request.on,
    request.prefixes.map((prefix) => Buffer.from(prefix)),
  );
}

function prefixFilter(on: FilterRequest['on'], prefixes: readonly Buffer[]): EventFilter {
  return (chunk) =>
    chunk.map(({ record }) => {
      const start = on === 'stream' ? STREAM_OFFSET : typeOffset(record);
      const end = on === 'stream' ? typeOffset(record) : contentOffset(record);
      return prefixes.some(
        (prefix) =>
          prefix.length <= end - start &&
          prefix.compare(record, start, start + prefix.length) === 0,
      );
    });
}

/**
 * EventStoreDB's expressions are .NET's. The anchors that JavaScript lacks are translated; what it
 * still can't compile is refused rather than matched wrongly.
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
function regexFilter(on: FilterRequest['on'], regex: RegExp): EventFilter {
  const readName = on === 'stream' ? recordStreamName : recordType;
  if (isQuick(regex.source))
    return (chunk) => chunk.map(({ record }) => regex.test(readName(record)));
  const scope: { names: string[]; regex: RegExp } = { names: [], regex };
  const context = createContext(scope);
  return (chunk) => {
    scope.names = chunk.map(({ record }) => readName(record));
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
