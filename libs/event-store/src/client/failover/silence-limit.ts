/** How long silence of a node is borne, by the calls tried since the last sign of life (decision 0005). */
import {
  NAMED_AGAIN_AFTER_TICKS,
  SILENT_AFTER_TICKS,
  SILENT_AFTER_TICKS_AT_MOST,
} from '../../streams/limits.js';

/** The calls tried since the last sign of life, over all channels of a client. */
export interface Fruitless {
  dials: number;
  /** Connections that were left, but for those that never were any. */
  silences: number;
  /** The node that was left last, as its channel names it. */
  silentNode?: string | undefined;
}

/** As it is after a sign of life. */
export const NOTHING_TRIED: Fruitless = { dials: 0, silences: 0, silentNode: undefined };

/** So often, since the last sign of life, silence is borne for the usual time only. */
const HASTY_SILENCES = 1;
const HASTY_DIALS = 5;
/** The same for dials of the node that was left last: some ten seconds, in which a cluster elects another leader. */
const HASTY_DIALS_AGAIN = 16;

interface Connection {
  /** Whether there is no connection yet. */
  readonly isDialling: boolean;
  /** Whether it goes to the node that was left last, though there are others: to a node alone, haste brings nothing. */
  readonly isNamedAgain: boolean;
}

/**
 * After two connections that brought nothing, haste would only undo a busy node's work. Before there is a connection it
 * undoes less: a cluster names a leader that is frozen until it has elected another one.
 *
 * @returns in ticks of the watch.
 */
export function silenceLimitTicks(
  { dials, silences }: Fruitless,
  { isDialling, isNamedAgain }: Connection,
): number {
  if (!isDialling) return growing(SILENT_AFTER_TICKS, silences - HASTY_SILENCES);
  return isNamedAgain
    ? growing(NAMED_AGAIN_AFTER_TICKS, dials - HASTY_DIALS_AGAIN)
    : growing(SILENT_AFTER_TICKS, dials - HASTY_DIALS);
}

function growing(ticks: number, doublings: number): number {
  return Math.min(ticks * 2 ** Math.max(0, doublings), SILENT_AFTER_TICKS_AT_MOST);
}
