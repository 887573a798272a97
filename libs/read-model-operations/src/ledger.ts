import { findGenerations, type Generations, projectionAggregate } from '#domain/projection';
import type { CommandExecutor, LedgerStore } from '#event-store';
import { Fault } from '#platform';
import type { LedgerIdentity } from '#projection-engine';
import type { Projection } from '#projection-engine/define';
import type { Redis } from '#redis';

/** The ledger whose read models are looked at and acted on. */
export interface ReadModelLedger {
  readonly store: Pick<LedgerStore, 'headPosition' | 'findTime' | 'findTimeAfter'>;
  readonly commands: CommandExecutor;
  readonly redis: Redis;
  readonly identity: LedgerIdentity;
  /** Those of this release. */
  readonly projections: readonly Projection<unknown>[];
}

/** The acts on the read models of a projection; undefined where this release cannot read one of them. */
export type FoundActs = ((readModel: string) => Generations) | undefined;

/** Reads the acts on the read models of a projection. @throws Fault of the store. */
export async function readActs(
  { commands }: Pick<ReadModelLedger, 'commands'>,
  projection: string,
): Promise<FoundActs> {
  try {
    const { state } = await commands.load(projectionAggregate, projection);
    return (readModel) => findGenerations(state, readModel);
  } catch (error) {
    if (error instanceof Fault && error.code === 'undecodable') return undefined;
    throw error;
  }
}
