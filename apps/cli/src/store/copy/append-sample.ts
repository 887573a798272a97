import { type LedgerStore, RevisionConflict } from '#event-store';
import { Fault, newUuid } from '#platform';

const SAMPLED = 'store_copy.sampled.v1';
const EMPTY = Buffer.from('{}');

/**
 * Takes the time of one append at the source of a copy: into a stream outside of the namespace, which keeps its last event
 * alone.
 *
 * @returns a function that answers with milliseconds; with undefined where the store did not take it.
 */
export async function beginSamples(
  { verbatim }: Pick<LedgerStore, 'verbatim'>,
  namespace: string,
): Promise<() => Promise<number | undefined>> {
  const stream = `subledger_copy_samples-${namespace}`;
  const limit = toForm('$metadata', Buffer.from(JSON.stringify({ $maxCount: 1 })));
  try {
    await verbatim.append(`$$${stream}`, 'no_stream', [limit]);
  } catch (error) {
    // An earlier copy has limited it, or the source takes nothing from this user: then nothing is sampled.
    if (!(error instanceof RevisionConflict || error instanceof Fault)) throw error;
  }
  return async () => {
    const startedAtMs = performance.now();
    try {
      await verbatim.append(stream, 'any', [toForm(SAMPLED, EMPTY)]);
      return performance.now() - startedAtMs;
    } catch (error) {
      if (error instanceof Fault) return undefined;
      throw error;
    }
  };
}

function toForm(type: string, data: Buffer) {
  return { id: newUuid(), type, contentType: 'application/json', data, metadata: EMPTY };
}
