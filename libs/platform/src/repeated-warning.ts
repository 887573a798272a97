import type { Log } from './logger.js';

/** After its first line a failure that goes on is logged again after this time, then ever less often. */
const FIRST_GAP_MS = 5_000;
const LARGEST_GAP_MS = 300_000;
/** Longer than the waits between any retries: a failure that was quiet for so long is a new one. */
const FORGOTTEN_AFTER_MS = 60_000;
/** Failures that are kept apart; with more of them the oldest is logged as if it were new. */
const REMEMBERED = 100;

interface Repeated {
  lastAtMs: number;
  tellAtMs: number;
  gapMs: number;
  untold: number;
}

const remembered = new WeakMap<Log, Map<string, Repeated>>();

/**
 * Warns of something that is tried again and again: at its first failure, and then ever less often while it goes on
 * failing for the same reason (rules/running 7). Loops of one process that fail for one reason say it once. `repeated`
 * counts the omitted warnings.
 *
 * @param nowMs a clock that never goes back, in milliseconds.
 */
export function warnSeldom(log: Log, error: unknown, message: string, nowMs = performance.now()) {
  const reason = error instanceof Error ? error.message : String(error);
  const repeated = recallRepetition(log, `${message}\n${reason}`, nowMs);
  repeated.lastAtMs = nowMs;
  if (nowMs < repeated.tellAtMs) {
    repeated.untold += 1;
    return;
  }
  const { untold } = repeated;
  log.warn({ err: error, ...(untold > 0 && { repeated: untold }) }, message);
  repeated.untold = 0;
  repeated.tellAtMs = nowMs + repeated.gapMs;
  repeated.gapMs = Math.min(LARGEST_GAP_MS, repeated.gapMs * 2);
}

function recallRepetition(log: Log, key: string, nowMs: number): Repeated {
  const ofLog = remembered.get(log) ?? new Map<string, Repeated>();
  remembered.set(log, ofLog);
  const known = ofLog.get(key);
  if (known !== undefined && nowMs - known.lastAtMs < FORGOTTEN_AFTER_MS) return known;
  const fresh = { lastAtMs: nowMs, tellAtMs: nowMs, gapMs: FIRST_GAP_MS, untold: 0 };
  ofLog.delete(key);
  ofLog.set(key, fresh);
  const [oldest] = ofLog.keys();
  if (ofLog.size > REMEMBERED && oldest !== undefined) ofLog.delete(oldest);
  return fresh;
}
