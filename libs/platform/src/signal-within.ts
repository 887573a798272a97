import { LightSignal, type StopSignal } from './stop-signal.js';

/** What is ended by a signal. */
interface Abortable {
  abort(reason: unknown): void;
}

/** Something that is being done, and where it stands among the acts under its stop. */
interface Act {
  readonly either: Abortable;
  at: number;
}

/** The acts under each signal. In a Set, into which all of them go, they would survive collections of garbage. */
const actsByStop = new WeakMap<StopSignal, Act[]>();

/**
 * Does something with a signal that is aborted when `stop` is, or when its time is up. Unlike `AbortSignal.any`
 * with `AbortSignal.timeout` it leaves nothing behind at a `stop` that lives as long as the process, costs a
 * twentieth of it, and is aborted for sure: Node.js 20 forgets a time limit that nothing else refers to, once it
 * collects memory.
 *
 * @returns what `act` returns, or throws. The reason of a time that was up is a `TimeoutError`.
 */
export function withSignal<Result>(
  stop: StopSignal,
  limitMs: number,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const either = new AbortController();
  return untilEnd(stop, limitMs, either, () => act(either.signal));
}

/** The same for what is done thousands of times a second, and needs no `AbortSignal` of Node.js's own. */
export function withLightSignal<Result>(
  stop: StopSignal,
  limitMs: number,
  act: (signal: StopSignal) => Promise<Result>,
): Promise<Result> {
  const either = new LightSignal();
  return untilEnd(stop, limitMs, either, () => act(either));
}

async function untilEnd<Result>(
  stop: StopSignal,
  limitMs: number,
  either: Abortable,
  act: () => Promise<Result>,
): Promise<Result> {
  if (stop.aborted) either.abort(stop.reason);
  const timer = setTimeout(() => either.abort(timedOut()), limitMs);
  const acts = listActs(stop);
  const begun = { either, at: acts.length };
  acts.push(begun);
  try {
    return await act();
  } finally {
    clearTimeout(timer);
    forget(acts, begun);
  }
}

/** One listener serves all acts under a signal: to take away one of many, Node looks through those before it. */
function listActs(stop: StopSignal): Act[] {
  const known = actsByStop.get(stop);
  if (known !== undefined) return known;
  const acts: Act[] = [];
  actsByStop.set(stop, acts);
  const abortAll = () => {
    for (const { either } of acts.splice(0)) either.abort(stop.reason);
  };
  stop.addEventListener('abort', abortAll, { once: true });
  return acts;
}

/** The last one takes its place. One that was aborted with the others is none of them any more. */
function forget(acts: Act[], act: Act): void {
  if (acts[act.at] !== act) return;
  const last = acts.pop();
  if (last === undefined || last === act) return;
  acts[act.at] = last;
  last.at = act.at;
}

function timedOut(): DOMException {
  return new DOMException('The operation was aborted due to timeout', 'TimeoutError');
}
