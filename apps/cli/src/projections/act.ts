import { wallClock } from '#platform';
import {
  type ActContext,
  type ActResult,
  decideOnReadModel,
  type NamedReadModel,
  type ReadModelAct,
  type ReadModelLedger,
} from '#read-model-operations';
import { PROJECTION_REFUSALS, sayProjectionRefusal } from '#representations';
import { CliError } from '../cli-error.js';
import { refuseUnreadable } from './read-models-command.js';

export type AcceptedAct = Extract<ActResult, { accepted: true }>;

/** Decides an act from the command line. @throws CliError where it is refused; Fault. */
export async function decideHere(
  ledger: ReadModelLedger,
  named: Pick<NamedReadModel, 'readModel' | 'projection'>,
  act: ReadModelAct,
  { reason, formerKeptMs }: Pick<ActContext, 'reason' | 'formerKeptMs'>,
): Promise<AcceptedAct> {
  const context = { actor: 'cli', reason, formerKeptMs, now: wallClock.now() };
  const result = await decideOnReadModel(ledger, named, act, context).catch(refuseUnreadable);
  if (result.accepted) return result;
  const { code, detail } = result.rejection;
  if (!isKnown(code)) throw new CliError(`The ledger refused: ${code}.`);
  const { message, reason: word } = sayProjectionRefusal({ code, ...(detail && { detail }) });
  throw new CliError(message, 'refused', [], word);
}

function isKnown(code: string): code is keyof typeof PROJECTION_REFUSALS {
  return Object.hasOwn(PROJECTION_REFUSALS, code);
}
