import type { Position, RecordedEvent } from '#domain/event';
import { foldNext, type IndexEntry, type Recipe, type Rendered } from '#projection-engine/define';

/** The events of one document, folded by its recipe up to a revision. */
export class Replay {
  /** The revision of the last event taken; -1 before the first. */
  last = -1;
  /** The place of the event at the wanted revision, or of the last one before it. */
  position: Position = '';
  /** The entries of all states up to the wanted revision. */
  readonly everListed: IndexEntry[] = [];
  #folded: unknown;
  #rendered: Rendered | undefined;

  /** @param wanted the revision at which the document is rendered; Infinity for the last. */
  constructor(
    private readonly recipe: Recipe,
    private readonly id: string,
    private readonly wanted: number,
  ) {
    this.#folded = recipe.initial;
  }

  get isThere(): boolean {
    return this.last === this.wanted;
  }

  /** The document at the wanted revision; undefined where the events do not lead there. */
  get rendered(): Rendered | undefined {
    if (this.wanted === Infinity && this.last >= 0) return this.#render();
    return this.#rendered;
  }

  take(event: RecordedEvent): void {
    this.last += 1;
    if (this.last > this.wanted) return;
    this.#folded = foldNext(this.recipe, this.#folded, event);
    this.position = event.position;
    if (this.isThere) this.#rendered = this.#render();
  }

  /** As `take`, and notes the entries of the state behind the event. */
  takeAndList(event: RecordedEvent): void {
    this.take(event);
    if (this.last <= this.wanted) this.everListed.push(...this.#render().entries);
  }

  #render(): Rendered {
    return this.recipe.render(this.id, this.#folded, this.last);
  }
}
