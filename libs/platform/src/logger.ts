import { type DestinationStream, type Logger, pino } from 'pino';
import { Fault } from './fault.js';

export type Log = Logger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/**
 * No secret in logs (rules/api 11): these names are blanked at the top and up to two levels down.
 */
const SECRET_NAMES = [
  'authorization',
  'secret',
  'ingressSecret',
  'signature',
  'masterKey',
  'token',
  'apiKey',
  'x-service-hmac-signature',
  'x-service-api-key',
  'webhook-signature',
  'service-hmac-signature',
];

/** A fault's message is cut here, so that a line of the log stays short (rules/running 7). */
const FAULT_CHARACTERS = 160;
/**
 * The id of a checkout link: its time, and the part that makes it a credential (rules/http 11). It may follow anything:
 * an escaped line break and `%2F` end in a letter or digit.
 */
const LINK_ID = /(cl_[0-9a-z]{10})[0-9a-z]{16}/g;

interface LoggerOptions {
  readonly level?: LogLevel;
  /** Programs whose stdout is their answer (the CLI) log to stderr. */
  readonly destination?: 'stdout' | 'stderr' | DestinationStream;
}

/**
 * A logger that writes one JSON object a line, with secrets blanked and ids of checkout links
 * masked.
 */
export function createLogger(name: string, options: LoggerOptions = {}): Log {
  const { level = 'info', destination = 'stdout' } = options;
  const redact = SECRET_NAMES.flatMap((secret) =>
    ['', '*', '*.*'].map((above) => `${above}["${secret}"]`),
  );
  const hooks = { streamWrite: maskLinks };
  const serializers = { err: describeError };
  return pino({ name, level, redact, serializers, hooks }, openDestination(destination));
}

/**
 * A fault of the world is logged in one line, since our stack says nothing about it. Defects keep
 * theirs.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Fault)) return pino.stdSerializers.err(error as Error);
  return { code: error.code, message: error.message.slice(0, FAULT_CHARACTERS) };
}

/**
 * The id of a checkout link is enough to pay with it and to see the purchase. It turns up in messages, stacks, names of
 * streams and ids of jobs, so it is masked in the line as it is written.
 */
function maskLinks(line: string): string {
  return line.includes('cl_') ? line.replaceAll(LINK_ID, '$1...') : line;
}

function openDestination(destination: 'stdout' | 'stderr' | DestinationStream): DestinationStream {
  if (typeof destination !== 'string') return destination;
  // Synchronous, so that the last words of a process that ends badly are not lost.
  return pino.destination({ dest: destination === 'stdout' ? 1 : 2, sync: true });
}
