import type { Log } from './logger.js';
import { withTimeLimit } from './resilience.js';
import { EXIT_INTERRUPTED, onStopSignals } from './stop-signals.js';

/** Longer than a command may take, shorter than the 30 s after which orchestrators kill. */
const DEFAULT_LIMIT_MS = 20_000;

export interface Shutdown {
  /** Aborted as soon as a stop is asked for: loops that run for ever watch it. */
  readonly signal: AbortSignal;
  /** Adds a part to stop. Parts stop one after the other, the last added first. */
  add(name: string, stop: () => Promise<void> | void): void;
  /**
   * Stops everything; later calls wait for the first. Resolves with the exit code: 0, or 1 if a
   * part failed.
   */
  stop(reason: string): Promise<number>;
}

interface ShutdownOptions {
  readonly log: Log;
  /** All parts together. */
  readonly limitMs?: number;
  readonly exit?: (code: number) => void;
  /** The emitter to which listeners for signals are added. */
  readonly signals?: NodeJS.EventEmitter;
  readonly nowMs?: () => number;
}

/**
 * Orderly stop on a signal: the parts in reverse order of their start, within a time limit; a
 * second signal exits at once.
 */
export function createShutdown(options: ShutdownOptions): Shutdown {
  const { log, limitMs = DEFAULT_LIMIT_MS } = options;
  const exit = options.exit ?? ((code: number) => process.exit(code));
  const parts: { name: string; stop: () => Promise<void> | void }[] = [];
  const controller = new AbortController();
  let stopping: Promise<number> | undefined;

  const stop = (reason: string): Promise<number> => {
    stopping ??= stopAll(reason);
    return stopping;
  };
  const stopAll = async (reason: string): Promise<number> => {
    log.info({ reason }, 'stopping');
    controller.abort(new Error(`stopping: ${reason}`));
    const stopped = stopParts(parts.reverse(), log);
    try {
      return await withTimeLimit(stopped, limitMs, 'stopping');
    } catch (error) {
      log.error({ err: error }, 'gave up stopping in order');
      return 1;
    }
  };
  onStopSignals({
    ...options,
    stop: (name) => void stop(name).then(exit),
    interrupt: () => exit(EXIT_INTERRUPTED),
  });
  return {
    signal: controller.signal,
    add: (name, stopPart) => void parts.push({ name, stop: stopPart }),
    stop,
  };
}

async function stopParts(
  parts: { name: string; stop: () => Promise<void> | void }[],
  log: Log,
): Promise<number> {
  let code = 0;
  for (const { name, stop } of parts) {
    try {
      await stop();
    } catch (error) {
      log.error({ err: error, part: name }, 'a part did not stop in order');
      code = 1;
    }
  }
  return code;
}
