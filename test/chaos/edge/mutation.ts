import type { Place } from './places.js';
import type { Random } from './random.js';
import type { Draft } from './samples.js';
import type { Scene } from './scene.js';

/** One hostile change to a request that would else be accepted. */
export interface Mutation {
  readonly name: string;
  /** Whether the request must now be refused; otherwise it may be. */
  readonly isRefused: boolean;
  /** @returns the change, or undefined where the draft has no place for it. */
  apply(draft: Draft, random: Random, scene: Scene): string | undefined;
}

/** The places of a draft's JSON body that a condition holds for. */
export type PlaceFilter = (place: Place) => boolean;

export function setHeader(draft: Draft, name: string, value: string): void {
  const others = draft.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase());
  draft.headers = [...others, [name, value]];
}
