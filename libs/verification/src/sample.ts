import { assertDefect, forEachConcurrently } from '#platform';
import type { PlacedInPartition } from '#projection-engine';
import type { Redis } from '#redis';
import { AT_ONCE } from './at-once.js';
import { checkMany } from './check-many.js';
import { checkStream } from './check-stream.js';
import { CheckedGeneration } from './generation.js';
import type { VerificationOptions } from './options.js';
import { Findings, type VerificationReport } from './report.js';

/** Ids of documents, by the number of their partition. */
export type DrawnIds = ReadonlyMap<number, readonly string[]>;

export interface SampleOptions extends VerificationOptions {
  /** How many documents are drawn from the generation, about; all of them, where there are fewer. */
  readonly count: number;
  /** Documents to compare beside them, such as those of another generation. */
  readonly ids?: DrawnIds | undefined;
}

/**
 * Compares documents of a generation that are drawn by chance, with their lists, with the events by the domain alone.
 *
 * @throws Fault `conflict` where the generation is gone; Fault of the store or of Redis; the signal's reason.
 */
export async function verifySample({
  count,
  ids,
  ...options
}: SampleOptions): Promise<VerificationReport> {
  const { redis, partitions, signal, onProgress, projection } = options;
  const { recipe } = projection;
  assertDefect(recipe !== undefined, `${projection.name} has no recipe to verify it by`);
  const generations = await CheckedGeneration.openAll(redis, partitions);
  const drawn = await drawFrom(generations, count);
  const findings = new Findings();
  const total = generations.reduce((sum, { number }) => sum + listIds(number).length, 0);
  for (const generation of generations) {
    const own = listIds(generation.number);
    if (recipe.of === 'many') {
      const suspects = new Map(own.map((id) => [id, []]));
      await checkMany(options, recipe, generation, findings, suspects);
    } else {
      await forEachConcurrently(own, AT_ONCE, async (id) => {
        signal.throwIfAborted();
        await checkStream(options, recipe, generation, findings, { id });
      });
    }
    findings.parked += await generation.countParked();
    await generation.requireThere();
    onProgress?.({ checked: findings.checked, total });
  }
  return findings.report();

  function listIds(number: number): string[] {
    return [...new Set([...(drawn.get(number) ?? []), ...(ids?.get(number) ?? [])])];
  }
}

/**
 * Ids of documents of a generation by chance: each partition gives as many as its share of all documents is.
 *
 * @throws Fault as `verifySample` does.
 */
export async function drawIds(
  redis: Redis,
  partitions: readonly PlacedInPartition[],
  count: number,
): Promise<DrawnIds> {
  return drawFrom(await CheckedGeneration.openAll(redis, partitions), count);
}

async function drawFrom(
  generations: readonly CheckedGeneration[],
  count: number,
): Promise<DrawnIds> {
  const sizes = await Promise.all(generations.map((each) => each.countDocuments()));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const drawn = generations.map(async (generation, at) => {
    const share = all === 0 ? 0 : Math.ceil((count * (sizes[at] ?? 0)) / all);
    return [generation.number, await generation.drawIds(share)] as const;
  });
  return new Map(await Promise.all(drawn));
}
