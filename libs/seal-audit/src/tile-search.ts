import type { Position } from '#domain/event';

/** So often a tile is guessed; a log whose positions mislead that often is halved. */
const GUESSES = 3;

/**
 * Narrows the tiles that may hold an event, by the positions at which tiles end: nearly all logs grow evenly by their
 * tiles, so that a guess is mostly right.
 */
export class TileSearch {
  #low = 0;
  #high: number;
  #lastOne: number;
  /** The position at which the tile before the lowest one ends, and that at which the highest one does. */
  #lowEnd = 0;
  #highEnd: number;
  #guesses = 0;

  /**
   * @param position of the event.
   * @param end the number of the last tile, and the position at which it ends.
   */
  constructor(
    readonly position: Position,
    end: { readonly tile: number; readonly position: Position },
  ) {
    this.#high = end.tile;
    this.#lastOne = end.tile;
    this.#highEnd = Number(end.position);
  }

  /** The first tile that may be the one, and the last one up to which guesses narrow. */
  get range(): { readonly low: number; readonly high: number } {
    return { low: this.#low, high: this.#high };
  }

  /** The last tile that may be the one: the ends of those behind the range are not known. */
  get lastOne(): number {
    return this.#lastOne;
  }

  /** A tile to look at, before the last one of several. */
  next(): number {
    const tiles = this.#high - this.#low;
    this.#guesses += 1;
    if (this.#guesses > GUESSES) return this.#low + Math.floor(tiles / 2);
    const share = (Number(this.position) - this.#lowEnd) / (this.#highEnd - this.#lowEnd);
    const guess = Math.ceil(share * (tiles + 1)) - 1;
    return this.#low + Math.max(0, Math.min(tiles - 1, guess));
  }

  /**
   * Takes the position at which tiles end, from one on to the first one whose last event is there.
   *
   * @param end undefined where no tile before the last one has it.
   */
  narrow([from, to]: readonly [number, number], end: Position | undefined): void {
    if (end !== undefined && end < this.position) {
      [this.#low, this.#lowEnd] = [to + 1, Number(end)];
      return;
    }
    this.#lastOne = end === undefined ? this.#lastOne : to;
    [this.#high, this.#highEnd] = [from, end === undefined ? this.#highEnd : Number(end)];
  }
}
