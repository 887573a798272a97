import type { Document } from './define/index.js';

/** Revision and position stand before the JSON at a fixed width, so that Lua compares them as text. */
const WIDTH = 20;

/** As it is stored. */
export function encodeDocument({ revision, position, state }: Document<unknown>): string {
  return String(revision).padStart(WIDTH, '0') + position + JSON.stringify(state);
}

/** The reverse of `encodeDocument`. */
export function decodeDocument<State>(stored: string): Document<State> {
  return {
    revision: Number(stored.slice(0, WIDTH)),
    position: stored.slice(WIDTH, 2 * WIDTH),
    // The key names the projection and its version: what was put there is its state.
    state: JSON.parse(stored.slice(2 * WIDTH)) as State,
  };
}
