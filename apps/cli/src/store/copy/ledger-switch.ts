import type { Position } from '#domain/event';
import { LEDGER_POLL_MS } from '#event-store';
import { sleep } from '#platform';
import { CliError } from '../../cli-error.js';
import type { CopiedStores } from './copy-windows.js';
import type { CopyReport } from './copy-report.js';
import type { StoreCopy } from './store-copy.js';
import { requireSealed } from './sealed-source.js';
import { closeSource, openTarget, requireWorkedOn } from './switch-over.js';

/** Programs look every few seconds for the address of their ledger, and then end the work that they have begun. */
const PROGRAMS_END_MS = 3 * LEDGER_POLL_MS;
/** So long nothing may come before the target is opened: a program that looked and went on writing is seen in it. */
const SILENCE_MS = LEDGER_POLL_MS + 1_000;
/** So often silence is waited for: after that the writer is no program that looks. */
const ROUNDS = 3;
/** The copy itself is ended between two passes alone. */
const NEVER = new AbortController().signal;

export interface LedgerSwitch {
  readonly stores: CopiedStores;
  readonly copy: StoreCopy;
  /** Compares both up to a position of the source. */
  readonly compare: (upTo: Position) => Promise<CopyReport>;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Makes the target the ledger, with all that the source acknowledged: a program that still runs may write until it
 * notices that the source is closed. So all is copied and compared once more behind that, and the target is opened
 * then (decision 0014). Interrupted, it is begun again.
 *
 * @returns the last comparison; nothing was switched where that says that they differ.
 * @throws CliError where something is written into the source; Fault.
 */
export async function switchLedger(options: LedgerSwitch): Promise<CopyReport> {
  const { stores, copy, compare } = options;
  const before = await compare(await copy.catchUp(NEVER));
  if (!before.isSame) return before;
  if (await hasCopiedMore(copy)) {
    throw new CliError('The source is still written to: stop its programs, and switch then.');
  }
  await requireWorkedOn(stores, copy.identity);
  await requireSealed(stores);
  await closeSource(stores, copy.identity);
  const report = await compareInSilence(options);
  if (!report.isSame) return { ...report, isSourceClosed: true };
  await openTarget(stores, copy.identity);
  return { ...report, isSourceClosed: true, isSwitched: true };
}

/** When programs have ended: the comparison of all that there is, before and behind which nothing came. */
async function compareInSilence({
  copy,
  compare,
  pause = sleep,
}: LedgerSwitch): Promise<CopyReport> {
  await pause(PROGRAMS_END_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    await copy.catchUp(NEVER);
    const before = copy.eventsWritten;
    await pause(SILENCE_MS);
    const report = await compare(await copy.catchUp(NEVER));
    await copy.catchUp(NEVER);
    if (copy.eventsWritten === before) return report;
  }
  throw new CliError(
    'The source is closed, and is still written to: end the program that writes there, and switch again; or take the move ' +
      'back (--switch-back).',
  );
}

async function hasCopiedMore(copy: StoreCopy): Promise<boolean> {
  const before = copy.eventsWritten;
  await copy.catchUp(NEVER);
  return copy.eventsWritten > before;
}
