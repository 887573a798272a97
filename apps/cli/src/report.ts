import { Fault } from '#platform';
import { CliError, EXIT_CODES, type ErrorKind } from './cli-error.js';

/** Commander throws this after its own message: for help that was asked for, or a bad command line. */
interface Spoken extends Error {
  readonly exitCode: number;
}

/** The text on stderr when a command ends with an error, and the exit code. */
export interface Report {
  readonly text: string;
  readonly exitCode: number;
}

/** One sentence and its details, or one JSON object; never a stack (rules/operators 7). */
export function reportError(error: unknown, isJson: boolean): Report {
  if (isSpoken(error)) {
    if (error.exitCode === 0) return { text: '', exitCode: 0 };
    // Commander has printed its sentence itself, but where JSON is due.
    const message = error.message.replace(/^error: /, '');
    return isJson
      ? inJson(new CliError(message, 'usage'))
      : { text: '', exitCode: EXIT_CODES.usage };
  }
  const known = knownError(error);
  if (isJson) return inJson(known);
  const lines = [`subledger: ${known.message}`, ...known.details.map((line) => `  ${line}`)];
  return { text: `${lines.join('\n')}\n`, exitCode: EXIT_CODES[known.kind] };
}

function inJson({ kind, reason, message, details }: CliError): Report {
  const exitCode = EXIT_CODES[kind];
  const error = { kind, reason, message, details, exitCode };
  return { text: `${JSON.stringify({ error })}\n`, exitCode };
}

function knownError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new CliError(message.endsWith('.') ? message : `${message}.`, classify(error));
}

function classify(error: unknown): ErrorKind {
  if (!(error instanceof Fault)) return 'internal';
  if (error.code === 'refused') return 'refused';
  return error.code === 'unavailable' ? 'unreachable' : 'internal';
}

function isSpoken(error: unknown): error is Spoken {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}
