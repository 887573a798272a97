import type { Position } from '#domain/event';
import type { Projection } from '#projection-engine/define';

/** A stored document, taken apart. */
export interface StoredState {
  readonly revision: number;
  /** Where streams meet: the place of the last event. */
  readonly position: Position | undefined;
  readonly state: unknown;
}

/** Reads a stored document; undefined for a text that no projector wrote. */
export function readStoredState(
  { documents, codec }: Pick<Projection<unknown>, 'documents' | 'codec'>,
  id: string,
  text: string,
): StoredState | undefined {
  try {
    const parsed = JSON.parse(text) as readonly unknown[];
    const [revision, ...rest] = parsed;
    if (typeof revision !== 'number') return undefined;
    const position = documents.of === 'stream' ? undefined : String(rest.shift());
    const state = codec === undefined ? rest[0] : codec.unpack(rest, id);
    return { revision, position, state };
  } catch {
    return undefined;
  }
}

/** The revision with which a stored document begins; undefined for a text that no projector wrote. */
export function readStoredRevision(text: string): number | undefined {
  const revision = /^\[(\d+)[,\]]/.exec(text)?.[1];
  return revision === undefined ? undefined : Number(revision);
}
