/** A guard that was taken out: the tests named here must not bear it. */
export interface Mutant {
  readonly name: string;
  /** The harm without the guard, in a sentence. */
  readonly harm: string;
  readonly file: string;
  /** The guard, as it stands in the file, once. */
  readonly guard: string;
  /** The text in its place. */
  readonly without: string;
  /** The specs of which one must fail, as paths or parts of paths. */
  readonly specs: readonly string[];
}
