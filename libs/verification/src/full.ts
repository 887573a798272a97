import { assertDefect, forEachConcurrently } from '#platform';
import type { Recipe } from '#projection-engine/define';
import { AT_ONCE } from './at-once.js';
import { checkMany } from './check-many.js';
import { checkStream } from './check-stream.js';
import { FullPass, type Suspects } from './full-pass.js';
import { CheckedGeneration } from './generation.js';
import type { VerificationOptions } from './options.js';
import { planPasses } from './passes.js';
import { Findings, type VerificationReport } from './report.js';

/** Documents of one reading of the log: some hundred megabytes, where all of them are long. */
const DOCUMENTS_OF_A_PASS = 50_000;

export interface FullOptions extends VerificationOptions {
  /** The most documents that are in memory at a time; 50,000 unless given. */
  readonly documentsOfAPass?: number | undefined;
}

/**
 * Compares all documents and all list entries of a generation with all events of the store by the domain alone, both
 * ways. The log is read once for each 50,000 documents; where streams meet in documents, once for each partition at
 * least.
 *
 * @throws Fault `conflict` where the generation is gone; Fault of the store or of Redis; the signal's reason.
 */
export async function verifyFull({
  documentsOfAPass = DOCUMENTS_OF_A_PASS,
  ...options
}: FullOptions): Promise<VerificationReport> {
  const { redis, partitions, projection, onProgress } = options;
  const { recipe } = projection;
  assertDefect(recipe !== undefined, `${projection.name} has no recipe to verify it by`);
  const generations = await CheckedGeneration.openAll(redis, partitions);
  const sizes = await Promise.all(generations.map((each) => each.countDocuments()));
  const sized = generations.map((generation, at) => ({ generation, documents: sizes[at] ?? 0 }));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const findings = new Findings();
  for (const pass of planPasses(sized, documentsOfAPass, recipe.of === 'stream')) {
    const reading = new FullPass(options, recipe, pass);
    const suspects = await reading.run(() => {
      onProgress?.({ checked: findings.checked + reading.compared, total });
    });
    // A generation that is gone leaves no documents, which would all be suspects.
    for (const generation of pass.generations) await generation.requireThere();
    findings.checked += reading.countSound();
    for (const generation of pass.generations) {
      const own = suspects.get(generation.number);
      if (own === undefined) continue;
      await checkSuspects(options, recipe, { generation, findings, suspects: own });
    }
    onProgress?.({ checked: findings.checked, total });
  }
  for (const generation of generations) findings.parked += await generation.countParked();
  return findings.report();
}

interface Suspected {
  readonly generation: CheckedGeneration;
  readonly findings: Findings;
  readonly suspects: Suspects;
}

/** Documents that are compared at the checkpoint are read in one step of Redis: it answers others meanwhile. */
const MANY_AT_ONCE = 1_000;

async function checkSuspects(
  options: VerificationOptions,
  recipe: Recipe,
  { generation, findings, suspects }: Suspected,
): Promise<void> {
  const all = [...suspects];
  if (recipe.of === 'many') {
    for (let at = 0; at < all.length; at += MANY_AT_ONCE) {
      const some = new Map(all.slice(at, at + MANY_AT_ONCE));
      await checkMany(options, recipe, generation, findings, some);
    }
    return;
  }
  await forEachConcurrently(all, AT_ONCE, async ([id, entries]) => {
    options.signal.throwIfAborted();
    await checkStream(options, recipe, generation, findings, { id, suspects: entries });
  });
}
