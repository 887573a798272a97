import { LRUCache } from 'lru-cache';
import { assertDefect } from '#platform';
import { type Document, type Projection, readMemberId } from './define/index.js';
import { readDocument, type StoredDocument } from './document.js';
import { REMEMBERED_PAGES_LENGTH } from './limits.js';

/** A page as Redis answers it: the members and the documents, both JSON. */
export interface StoredPage {
  readonly members: string;
  readonly documents: string;
}

export interface ListedDocument<State> {
  readonly member: string;
  readonly document: Document<State>;
}

/**
 * Makes documents of pages. Where the projection says so, the last pages are remembered with the texts they
 * were made of: a page that Redis answers with the same texts is not made again. What Redis holds is read
 * each time, so that nothing outdated is shown.
 */
export class PageDecoder<State> {
  readonly #projection: Projection<State>;
  readonly #remembered: LRUCache<string, DecodedPage<State>> | undefined;

  constructor(projection: Projection<State>) {
    this.#projection = projection;
    if (projection.remembersPages === true) {
      this.#remembered = new LRUCache({ maxSize: REMEMBERED_PAGES_LENGTH });
    }
  }

  /** @param name tells the page from others. */
  decode(name: () => string, stored: StoredPage): readonly ListedDocument<State>[] {
    if (this.#remembered === undefined) return this.#decode(stored);
    const key = name();
    const known = this.#remembered.get(key);
    if (known?.members === stored.members && known.documents === stored.documents) {
      return known.listed;
    }
    const listed = this.#decode(stored);
    const size = stored.members.length + stored.documents.length;
    this.#remembered.set(key, { ...stored, listed }, { size });
    return listed;
  }

  #decode(stored: StoredPage): ListedDocument<State>[] {
    // What the script made of what the projector wrote.
    const members = JSON.parse(stored.members) as string[];
    const documents = JSON.parse(stored.documents) as (StoredDocument | null)[];
    return members.map((member, at) => {
      const document = documents[at] ?? null;
      assertDefect(document !== null, 'a list names a lost document');
      return { member, document: readDocument(this.#projection, readMemberId(member), document) };
    });
  }
}

interface DecodedPage<State> extends StoredPage {
  readonly listed: readonly ListedDocument<State>[];
}
