import { accept, type Decision, defineAggregate } from '../decider/index.js';
import type { DomainEvent } from '../event/index.js';

/**
 * Which apps may witness the ledger (rules/evidence 10). An app is listed before its setting is turned on, and stays behind
 * when it is turned off: the app's own stream alone says whether it is on, so that a crash between the two acts leaves
 * nothing to heal.
 */
export type SealWitnessesEvent = DomainEvent<
  'seal_witnesses.listed.v1',
  { readonly appId: string }
>;

interface SealWitnesses {
  /** In the order in which they were listed. */
  readonly appIds: readonly string[];
}

interface ListSealWitness {
  readonly kind: 'ListSealWitness';
  readonly appId: string;
}

/** A ledger has one list. */
export const SEAL_WITNESSES_ID = 'ledger';

const noSealWitnesses: SealWitnesses = { appIds: [] };

function evolveSealWitnesses(
  { appIds }: SealWitnesses,
  { data: { appId } }: SealWitnessesEvent,
): SealWitnesses {
  return { appIds: [...appIds, appId] };
}

/** An app is listed once. */
function decideSealWitnesses(
  { appId }: ListSealWitness,
  { appIds }: SealWitnesses,
): Decision<SealWitnessesEvent, never> {
  if (appIds.includes(appId)) return accept();
  return accept({ type: 'seal_witnesses.listed.v1', data: { appId } });
}

export const sealWitnessesAggregate = defineAggregate('seal_witnesses', {
  initialState: noSealWitnesses,
  evolve: evolveSealWitnesses,
  decide: decideSealWitnesses,
});
