import type { Document, Projection, StateCodec } from '../define/index.js';

/** The part of a projection that decides how documents are stored. */
type Format<State> = Pick<Projection<State>, 'documents' | 'codec'>;

/**
 * A document as it is stored: a JSON array of the revision, with which Lua compares, the position where streams meet,
 * and the projection's form of the state.
 *
 * @throws the projection's error.
 */
export function encodeDocument<State>(
  { documents, codec = plain }: Format<State>,
  id: string,
  { revision, position, state }: Document<State>,
): string {
  const order = documents.of === 'stream' ? [revision] : [revision, position];
  return JSON.stringify([...order, ...codec.pack(state, id)]);
}

/** The reverse of `encodeDocument`. */
export function decodeDocument<State>(
  projection: Format<State>,
  id: string,
  stored: string,
): Document<State> {
  // The key names the projection and its version: a value there has this form.
  return readDocument(projection, id, JSON.parse(stored) as StoredDocument);
}

/** A document as JSON has it. */
export type StoredDocument = readonly [revision: number, ...rest: unknown[]];

/** The reverse of `encodeDocument`, of a parsed value. */
export function readDocument<State>(
  { documents, codec = plain }: Format<State>,
  id: string,
  [revision, ...rest]: StoredDocument,
): Document<State> {
  if (documents.of === 'stream') return { revision, state: codec.unpack(rest, id) };
  const [position, ...packed] = rest;
  return { revision, position: String(position), state: codec.unpack(packed, id) };
}

/** States that are stored with their names. */
const plain: StateCodec<never> = {
  pack: (state) => [state],
  unpack: ([state]) => state as never,
};
