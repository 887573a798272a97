import { findUnsealed } from '#sealing';
import { CliError } from '../../cli-error.js';
import type { CopiedStores } from './copy-windows.js';

/**
 * A ledger that is sealed moves with all of its events attested: those behind the last checkpoint could be altered by the
 * move, and the target's log would attest them as they are there. A source that an interrupted switch has closed cannot be
 * sealed any more, and was looked at before.
 *
 * @throws CliError with the command to type; Fault.
 */
export async function requireSealed({ source }: CopiedStores): Promise<void> {
  if ((await source.namespaces.find())?.movedTo !== undefined) return;
  const state = await findUnsealed(source);
  if (state?.unsealed === undefined) return;
  const { streamName, revision } = state.unsealed;
  throw new CliError(
    `The ledger is sealed up to ${state.checkpoint.checkpoint.size} leaves, and ${streamName}@${revision} is behind them: ` +
      'stop its programs, type "subledger seal checkpoint" for the source, and switch then.',
  );
}
