import { LRUCache } from 'lru-cache';
import { assertDefect } from '#platform';
import { type Document, type Projection, readMemberId } from './define/index.js';
import { readDocument, type StoredDocument } from './document.js';
import { REMEMBERED_PAGE_OVERHEAD, REMEMBERED_PAGES, REMEMBERED_PAGES_LENGTH } from './limits.js';

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
 * Makes documents of pages. Where the query says so, the last pages are remembered with the texts they were
 * made of: a page that Redis answers with the same texts is not made again. What Redis holds is read each
 * time, so that nothing outdated is shown.
 */
export class PageDecoder<State> {
  readonly #projection: Projection<State>;
  readonly #remembered = new LRUCache<string, DecodedPage<State>>({
    max: REMEMBERED_PAGES,
    maxSize: REMEMBERED_PAGES_LENGTH,
  });

  constructor(projection: Projection<State>) {
    this.#projection = projection;
  }

  /**
   * The documents of a page, which is remembered unless it is empty: names of lists that nothing is in are
   * made up by callers, without end.
   *
   * @param name tells the page from others.
   */
  remember(name: string, stored: StoredPage): readonly ListedDocument<State>[] {
    const known = this.#remembered.get(name);
    if (known?.members === stored.members && known.documents === stored.documents) {
      return known.listed;
    }
    const listed = this.decode(stored);
    if (listed.length === 0) return listed;
    const texts = name.length + stored.members.length + stored.documents.length;
    this.#remembered.set(name, { ...stored, listed }, { size: REMEMBERED_PAGE_OVERHEAD + texts });
    return listed;
  }

  decode(stored: StoredPage): readonly ListedDocument<State>[] {
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
