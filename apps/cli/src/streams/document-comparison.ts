import { idOf, type RecordedEvent } from '#domain/event';
import { foldNext, type StreamRecipe } from '#projection-engine/define';
import { compareStates } from '#verification';
import type { ShownDocument } from './shown-documents.js';

/** A field whose value in the read model is another one than the domain has; undefined where it is not there. */
export interface Difference {
  readonly field: string;
  readonly domain: unknown;
  readonly readModel: unknown;
}

/** The outcome of a comparison. */
export type Verdict =
  | { readonly kind: 'compared'; readonly differences: readonly Difference[] }
  | { readonly kind: 'uncompared'; readonly why: string };

/**
 * Compares the document of a stream with the one that its recipe makes, at the document's own revision: events that the read
 * model has not applied yet are no difference. It keeps one state and no event.
 */
export class DocumentComparison {
  #folded: unknown;
  #last: RecordedEvent | undefined;
  #verdict: Verdict | undefined;

  /** @param readModel its name. */
  constructor(
    readonly readModel: string,
    readonly shown: ShownDocument,
    private readonly recipe: Pick<StreamRecipe, 'initial' | 'fold' | 'render'>,
  ) {
    this.#folded = recipe.initial;
    if (shown.kind === 'unread') this.#verdict = { kind: 'uncompared', why: shown.why };
  }

  /** Whether further events decide it. */
  get isOpen(): boolean {
    return this.#verdict === undefined;
  }

  /** Takes the next event of the stream, from the first one on. */
  add(event: RecordedEvent): void {
    if (!this.isOpen) return;
    const { shown, recipe } = this;
    if (shown.kind === 'missing' && event.position > shown.upTo) {
      this.#verdict = this.#judgeMissing();
      return;
    }
    this.#folded = foldNext(recipe, this.#folded, event);
    this.#last = event;
    if (shown.kind === 'found' && shown.revision === event.revision) {
      this.#verdict = toVerdict(this.#render(event), shown.state);
    }
  }

  /** The outcome, after the last event of the stream. */
  end(): Verdict {
    if (this.#verdict !== undefined) return this.#verdict;
    if (this.shown.kind !== 'found') return this.#judgeMissing();
    // The read model speaks of events that the store does not have.
    return toVerdict({ revision: this.#last?.revision }, { revision: this.shown.revision });
  }

  /** Of a document that is missing: the events that the read model has had tell whether it has to be there. */
  #judgeMissing(): Verdict {
    if (this.#last === undefined) {
      return { kind: 'uncompared', why: 'it has no event of the stream yet; ask again' };
    }
    const isDue = this.#render(this.#last) !== undefined;
    return toVerdict({ document: isDue ? 'there' : 'missing' }, { document: 'missing' });
  }

  #render({ streamName, revision }: RecordedEvent): unknown {
    return this.recipe.render(idOf(streamName), this.#folded, revision).state;
  }
}

function toVerdict(domain: unknown, readModel: unknown): Verdict {
  const differences = compareStates(domain, readModel).map(({ field, expected, found }) => {
    return { field, domain: parse(expected), readModel: parse(found) };
  });
  return { kind: 'compared', differences };
}

function parse(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}
