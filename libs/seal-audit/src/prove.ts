import type { VerbatimEvent } from '#event-store';
import { formatProof, proveInclusion } from '#seal';
import { type FoundCheckpoint, type LogLeaf, SealReader, toLogLeaf } from '#sealing';
import { LeafFinder } from './find-leaf.js';
import type { AuditedStore } from './audited-store.js';
import { readCosignedNote } from './stored-note.js';

/** An event with its proof. */
export interface ProvedEvent extends Pick<LogLeaf, 'stream' | 'eventId' | 'type' | 'revision'> {
  /** The number of its leaf, and the text of its proof; undefined where the last checkpoint does not attest it. */
  readonly proved: { readonly leaf: number; readonly text: string } | undefined;
}

/** Proves events by the last checkpoint. @throws Fault of the store. */
export async function* proveEvents(
  store: Pick<AuditedStore, 'names' | 'verbatim'>,
  last: FoundCheckpoint,
  events: AsyncIterable<VerbatimEvent> | Iterable<VerbatimEvent>,
): AsyncGenerator<ProvedEvent> {
  const reader = new SealReader(store);
  const finder = new LeafFinder(store, reader, last);
  const readHash = reader.readHashes(last);
  let reading: Promise<string> | undefined;
  for await (const stored of events) {
    const event = toLogLeaf(stored, store.names.namespace);
    const { stream, eventId, type, revision } = event;
    const line = Buffer.from(event.text);
    reading ??= readCosignedNote(reader, last);
    const [index, note] = await Promise.all([finder.find(event), reading]);
    const common = { stream, eventId, type, revision };
    if (index === undefined) {
      yield { ...common, proved: undefined };
      continue;
    }
    const hashes = await proveInclusion(index, last.checkpoint.size, readHash);
    const text = formatProof({ line, index, hashes, checkpoint: note });
    yield { ...common, proved: { leaf: index, text } };
  }
}
