/** The signals that stop a program: of a supervisor, of Ctrl-C and of a terminal that is closed. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** The exit code that a shell reports for a process that a second Ctrl-C ended. */
export const EXIT_INTERRUPTED = 130;
/**
 * Within this time of the first, a further signal is the same one heard twice: a terminal sends Ctrl-C to npm and to
 * its child, and npm passes its own on. A person presses again later.
 */
const ECHO_MS = 1000;

export interface StopSignals {
  /** Called once, at the first signal, with its name. */
  readonly stop: (signal: NodeJS.Signals) => void;
  /**
   * Called at a signal that comes later than `ECHO_MS` after the first: end at once (rules/running
   * 1).
   */
  readonly interrupt: () => void;
  readonly signals?: NodeJS.EventEmitter;
  readonly nowMs?: () => number;
}

/** Distinguishes an orderly stop from an impatient one. */
export function onStopSignals({
  stop,
  interrupt,
  signals = process,
  nowMs = () => performance.now(),
}: StopSignals): void {
  let firstAtMs: number | undefined;
  for (const name of STOP_SIGNALS) {
    signals.on(name, () => {
      if (firstAtMs === undefined) {
        firstAtMs = nowMs();
        stop(name);
      } else if (nowMs() - firstAtMs > ECHO_MS) interrupt();
    });
  }
}
