import type { FoundCheckpoint, SealReader } from '#sealing';

/** A checkpoint's note with the signatures that others put on it since. @throws Fault. */
export async function readCosignedNote(
  reader: Pick<SealReader, 'list'>,
  { revision, checkpoint }: FoundCheckpoint,
): Promise<string> {
  let { note } = checkpoint;
  for await (const seal of reader.list(revision + 1)) {
    // A further checkpoint of this size may be signed by two keys: signatures are of the text, which is the same.
    const isOfIt = seal.kind === 'cosignature' && seal.cosignature.size === checkpoint.size;
    if (isOfIt && !note.includes(seal.cosignature.line)) note += seal.cosignature.line;
    if (seal.kind === 'checkpoint' && seal.checkpoint.size > checkpoint.size) break;
  }
  return note;
}
