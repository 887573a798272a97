import {
  type Document,
  type NotedCommands,
  packInstant,
  type PackedInstant,
  type Projection,
  type StateCodec,
  unpackInstant,
} from './define/index.js';

/** What tells how documents are stored. */
type Format<State> = Pick<Projection<State>, 'documents' | 'codec'>;

/**
 * A document as it is stored: a JSON array of the revision, with which Lua compares, the position where
 * streams meet, what is noted of commands, and what the projection keeps of the state.
 *
 * @throws what the projection throws.
 */
export function encodeDocument<State>(
  { documents, codec = plain }: Format<State>,
  id: string,
  { revision, position, state, commands }: Document<State>,
): string {
  const order = documents.of === 'stream' ? [revision] : [revision, position];
  const noted = commands === undefined ? [] : packNoted(commands);
  return JSON.stringify([...order, ...noted, ...codec.pack(state, id)]);
}

/** The reverse of `encodeDocument`. */
export function decodeDocument<State>(
  projection: Format<State>,
  id: string,
  stored: string,
): Document<State> {
  // The key names the projection and its version: what was put there has this form.
  return readDocument(projection, id, JSON.parse(stored) as StoredDocument);
}

/** A document as JSON has it. */
export type StoredDocument = readonly [revision: number, ...rest: unknown[]];

/** The reverse of `encodeDocument`, of what was parsed already. */
export function readDocument<State>(
  { documents, codec = plain }: Format<State>,
  id: string,
  [revision, ...rest]: StoredDocument,
): Document<State> {
  if (documents.of !== 'stream') {
    const [position, ...packed] = rest;
    return { revision, position: String(position), state: codec.unpack(packed, id) };
  }
  if (documents.notesCommands !== true) return { revision, state: codec.unpack(rest, id) };
  // It is what `encodeDocument` gave.
  const [lastOccurredAt, fingerprints, ...packed] = rest as unknown as [...Noted, ...unknown[]];
  const commands = { lastOccurredAt: unpackInstant(lastOccurredAt, 0), fingerprints };
  return { revision, commands, state: codec.unpack(packed, id) };
}

type Noted = [lastOccurredAt: PackedInstant, fingerprints: string];

function packNoted({ lastOccurredAt, fingerprints }: NotedCommands): Noted {
  return [packInstant(lastOccurredAt, 0), fingerprints];
}

/** States that are stored with their names. */
const plain: StateCodec<never> = {
  pack: (state) => [state],
  unpack: ([state]) => state as never,
};
