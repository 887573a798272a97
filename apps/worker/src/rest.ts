import { sleep } from '#platform';

/** Waits; true when the time has passed, false as soon as the signal is aborted. */
export async function rested(durationMs: number, signal: AbortSignal): Promise<boolean> {
  return sleep(durationMs, signal).then(
    () => true,
    () => false,
  );
}
