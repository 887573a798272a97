import { Partitions, UndecodableEvent } from '#event-store';
import type { IndexEntry, StreamRecipe } from '#projection-engine/define';
import type { CheckedGeneration, Snapshot } from './generation.js';
import { findWanted, judge } from './judge.js';
import type { VerificationOptions } from './options.js';
import { Replay } from './replay.js';
import type { Findings } from './report.js';

/** How often a document that changes meanwhile is compared anew. */
export const MOST_ATTEMPTS = 10;

/**
 * Compares the document of a stream at its own revision, with the lists in which it is, or was after an earlier event.
 * The document is read again with the lists, and all of it is compared anew where it changed meanwhile.
 *
 * @param suspects entries that lead to the document, and that it may have nothing to do with.
 * @throws Fault.
 */
export async function checkStream(
  options: Pick<VerificationOptions, 'store' | 'projection' | 'partitions'>,
  recipe: StreamRecipe,
  generation: CheckedGeneration,
  findings: Findings,
  { id, suspects = [] }: { readonly id: string; readonly suspects?: readonly IndexEntry[] },
): Promise<void> {
  const { projection } = options;
  const streamName = recipe.streamName(id);
  // In another partition than its own, a document and its entries are read by no reader.
  const isAstray = new Partitions(options.partitions.length).find(id) !== generation.number;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const before = await generation.read(id, streamName);
    const replay = isAstray
      ? new Replay(recipe, id, Infinity)
      : await replayStream(options, recipe, id, before);
    const places = distinctPlaces([...replay.everListed, ...suspects]);
    const after = await generation.read(id, streamName, places);
    if (after.text !== before.text || after.parkedAt !== before.parkedAt) continue;
    for (const verdict of judge(projection, id, after, replay)) {
      findings.add({ ...verdict, id, streamName, partition: generation.number });
    }
    findings.checked += 1;
    return;
  }
  findings.uncompared += 1;
}

/** Folds the events that the document has to have, by the checkpoint that was read with it. */
async function replayStream(
  { store }: Pick<VerificationOptions, 'store'>,
  recipe: StreamRecipe,
  id: string,
  before: Snapshot,
): Promise<Replay> {
  const replay = new Replay(recipe, id, findWanted(before));
  try {
    for await (const event of store.readStream(recipe.streamName(id))) {
      // The call ends by itself: servers end connections on which many calls are given up half-way.
      if (event.position <= before.position) replay.takeAndList(event);
    }
  } catch (error) {
    // A projector parks the stream there: no document goes beyond it.
    if (!(error instanceof UndecodableEvent)) throw error;
  }
  return replay;
}

/** Each list and member once. */
export function distinctPlaces(entries: readonly IndexEntry[]): IndexEntry[] {
  const places = new Map(entries.map((each) => [JSON.stringify([each.index, each.member]), each]));
  return [...places.values()];
}
