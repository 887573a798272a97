import { LRUCache } from 'lru-cache';
import { assertDefect } from '#platform';
import {
  type Document,
  type DocumentPage,
  type Projection,
  readMemberId,
} from '../define/index.js';
import { readDocument, type StoredDocument } from '../stored/document.js';
import { REMEMBERED_PAGE_OVERHEAD, REMEMBERED_PAGES_LENGTH } from '../limits.js';

/** A page as Redis answers it: the members and the documents, both JSON. */
export interface StoredPage {
  readonly members: string;
  readonly documents: string;
  /** At which the partition stood, as it is stored: a page is the same as long as this is. */
  readonly checkpoint: string;
}

export interface ListedDocument<State> {
  readonly member: string;
  readonly document: Document<State>;
}

/** A page that was made before, and its source. */
interface RememberedPage<State> extends StoredPage {
  readonly page: DocumentPage<State>;
}

/** Makes documents of pages. */
export class PageDecoder<State> {
  readonly #remembered = new LRUCache<string, RememberedPage<State>>({
    maxSize: REMEMBERED_PAGES_LENGTH,
  });

  constructor(private readonly projection: Projection<State>) {}

  /**
   * A page as it was read before. It is shown again only when Redis says that the partition stands where it
   * stood then, so that nothing outdated is shown.
   */
  recall(name: string): RememberedPage<State> | undefined {
    return this.#remembered.get(name);
  }

  /**
   * Makes a page, and remembers it. An empty one is not remembered: names of lists that nothing is in are made up by
   * callers, without end. One of the same texts as before is the same page, and is not made again.
   *
   * @param name tells the page from others.
   */
  remember(name: string, stored: StoredPage, limit: number): DocumentPage<State> {
    const known = this.#remembered.get(name);
    const isKnown = known?.members === stored.members && known.documents === stored.documents;
    const page = isKnown ? known.page : cutPage(this.decode(stored), limit);
    if (page.documents.length === 0) return page;
    const texts = name.length + stored.members.length + stored.documents.length;
    this.#remembered.set(name, { ...stored, page }, { size: REMEMBERED_PAGE_OVERHEAD + texts });
    return page;
  }

  decode(stored: Omit<StoredPage, 'checkpoint'>): readonly ListedDocument<State>[] {
    // The script's form of the projector's members.
    const members = JSON.parse(stored.members) as string[];
    const documents = JSON.parse(stored.documents) as (StoredDocument | null)[];
    return members.map((member, at) => {
      const document = documents[at] ?? null;
      assertDefect(document !== null, 'a list names a lost document');
      return { member, document: readDocument(this.projection, readMemberId(member), document) };
    });
  }
}

/** The first of the listed ones, and the one behind which the next page goes on. */
export function cutPage<State>(
  listed: readonly ListedDocument<State>[],
  limit: number,
): DocumentPage<State> {
  const shown = listed.slice(0, limit);
  return {
    documents: shown.map(({ document }) => document),
    nextAfter: listed.length > limit ? shown.at(-1)?.member : undefined,
  };
}
