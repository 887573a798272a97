import type { RecordedEvent } from '#domain/event';
import { COMMAND_RECORDED } from '#domain/event';
import { Partitions, readLog } from '#event-store';
import { forEachConcurrently } from '#platform';
import type { IndexEntry, ManyStreamsRecipe } from '#projection-engine/define';
import { distinctPlaces, MOST_ATTEMPTS } from './check-stream.js';
import type { CheckedGeneration, ManySnapshot } from './generation.js';
import { findWanted, judge } from './judge.js';
import type { VerificationOptions } from './options.js';
import { Replay } from './replay.js';
import type { Findings } from './report.js';
import { AT_ONCE } from './at-once.js';

/**
 * Compares documents in which streams meet, all of one partition, at the partition's checkpoint. Those that change
 * meanwhile are compared anew.
 *
 * @param suspects by the document's id, entries that lead to it, and that it may have nothing to do with.
 * @throws Fault.
 */
export async function checkMany(
  options: VerificationOptions,
  recipe: ManyStreamsRecipe,
  generation: CheckedGeneration,
  findings: Findings,
  suspects: ReadonlyMap<string, readonly IndexEntry[]>,
): Promise<void> {
  let pending = [...suspects.keys()];
  for (let attempt = 0; attempt < MOST_ATTEMPTS && pending.length > 0; attempt += 1) {
    const before = await generation.readMany(pending);
    const replays = await replayPartition(options, recipe, generation.number, before);
    const changed: string[] = [];
    await forEachConcurrently([...replays], AT_ONCE, async ([id, replay]) => {
      const places = distinctPlaces([...replay.everListed, ...(suspects.get(id) ?? [])]);
      const after = await generation.read(id, '', places);
      if (after.text !== (before.texts.get(id) ?? undefined)) {
        changed.push(id);
        return;
      }
      for (const verdict of judge(options.projection, id, after, replay)) {
        findings.add({ ...verdict, id, streamName: '', partition: generation.number });
      }
      findings.checked += 1;
    });
    pending = changed;
  }
  findings.uncompared += pending.length;
}

/** Folds the events up to the checkpoint of the partition into these documents, but those that are held back. */
async function replayPartition(
  { store, projection, partitions, signal }: VerificationOptions,
  recipe: ManyStreamsRecipe,
  number: number,
  { position, texts, parked }: ManySnapshot,
): Promise<ReadonlyMap<string, Replay>> {
  const replays = new Map(
    [...texts].map(([id, text]) => {
      const stored = { text: text ?? undefined, parkedAt: undefined };
      return [id, new Replay(recipe, id, findWanted(stored))];
    }),
  );
  const { categories } = projection;
  const buckets = new Partitions(partitions.length).rangesFor([number]);
  const isApplied = (event: RecordedEvent) =>
    event.position <= position && event.revision < (parked.get(event.streamName) ?? Infinity);
  for await (const { events, upTo } of readLog({
    ...{ store, categories, signal },
    ...(buckets && { buckets }),
  })) {
    for (const event of events) {
      if ('undecodable' in event || event.type === COMMAND_RECORDED || !isApplied(event)) continue;
      const id = recipe.find(event);
      if (id !== undefined) replays.get(id)?.takeAndList(event);
    }
    if (upTo >= position) break;
  }
  signal.throwIfAborted();
  return replays;
}
