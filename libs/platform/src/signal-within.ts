import { setMaxListeners } from 'node:events';

/**
 * Does something with a signal that is aborted when `stop` is, or when its time is up. Unlike `AbortSignal.any`
 * with `AbortSignal.timeout` it leaves nothing behind at a `stop` that lives as long as the process, and is aborted
 * for sure: Node.js 20 forgets a time limit that nothing else refers to, once it collects memory.
 *
 * @returns the result of `act`, or throws its error. The reason of a time that was up is a `TimeoutError`.
 */
export async function withSignal<Result>(
  stop: AbortSignal,
  limitMs: number,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const either = new AbortController();
  const onStop = () => either.abort(stop.reason);
  if (stop.aborted) onStop();
  // Node.js warns of more than ten listeners, and hundreds of acts may be under way.
  setMaxListeners(0, stop);
  stop.addEventListener('abort', onStop, { once: true });
  const timer = setTimeout(() => either.abort(timedOut()), limitMs);
  try {
    return await act(either.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

function timedOut(): DOMException {
  return new DOMException('The operation was aborted due to timeout', 'TimeoutError');
}
