/**
 * How the state of a document is stored. Both ways are total, and each is the reverse of the other: a property
 * test sees to it. A changed form needs a new `version` of the projection.
 */
export interface StateCodec<State> {
  /** Values that JSON has. */
  pack(state: State, id: string): readonly unknown[];
  unpack(packed: readonly unknown[], id: string): State;
}
