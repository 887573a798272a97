import type { Projection } from '#projection-engine/define';

/** A projection that leaves out the events of a type. */
export function skippingType(projection: Projection<unknown>, type: string): Projection<unknown> {
  return {
    ...projection,
    project: (before, event) => (event.type === type ? before : projection.project(before, event)),
  };
}

/** A projection that does not store a field. */
export function droppingField(projection: Projection<unknown>, field: string): Projection<unknown> {
  const { codec } = projection;
  return {
    ...projection,
    codec: {
      pack: (state, id) => codec?.pack(state, id) ?? [state],
      unpack: (packed, id) => {
        const state = codec === undefined ? packed[0] : codec.unpack(packed, id);
        // The states of projections are objects.
        const { [field]: _dropped, ...kept } = state as Record<string, unknown>;
        return kept;
      },
    },
  };
}

/** A projection that forgets entries in lists whose names have these parts. */
export function forgettingList(
  projection: Projection<unknown>,
  ...parts: readonly string[]
): Projection<unknown> {
  return {
    ...projection,
    indexes: (id, state, revision) =>
      projection
        .indexes(id, state, revision)
        .filter(({ index }) => !parts.every((part) => index.includes(part))),
  };
}
