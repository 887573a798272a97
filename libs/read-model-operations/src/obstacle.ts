import type { Generations } from '#domain/projection';
import {
  Ages,
  findLowest,
  openReadModel,
  readGenerations,
  UNAPPLIED_LIMIT_MS,
} from '#projection-engine';
import type { ReadModelLedger } from './ledger.js';

/**
 * Looks in Redis for a reason why the former generation of a read model cannot answer now (rules/read-models 3).
 *
 * @returns the reason in words; undefined where it can. @throws Fault of the store or of Redis.
 */
export async function findObstacle(
  ledger: ReadModelLedger,
  readModel: string,
  { former }: Generations,
): Promise<string | undefined> {
  const stored = await readGenerations(ledger.redis, openReadModel(readModel, ledger.identity));
  const found = stored.flatMap(({ places }) =>
    // Partitions that have not followed the swap yet have it where it answered.
    [places.former, places.checkpoint].filter(
      (each) => each !== undefined && (each.generation ?? 1) === former?.generation,
    ),
  );
  const positions = found.flatMap((each) => each?.position ?? []);
  if (positions.length < stored.length) {
    return `Redis has it in ${positions.length} of ${stored.length} partitions`;
  }
  const ages = await Ages.open(ledger.store);
  const behindSeconds = await ages.ofOldestUnapplied(findLowest(positions));
  if (behindSeconds * 1_000 <= UNAPPLIED_LIMIT_MS) return undefined;
  return `it has not applied an event that came ${Math.round(behindSeconds)} s ago`;
}
