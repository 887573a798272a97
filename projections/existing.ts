import type { Document, DocumentPage } from '#projection-engine/define';

/** A stream may hold nothing but the note of a command that changed nothing: then there is no such thing. */
type Existing<State> = Exclude<State, { readonly status: 'none' }>;

/** What a document shows; undefined where its stream tells of nothing. */
export function onlyExisting<State extends { readonly status: string }>(
  document: Document<State> | undefined,
): Document<Existing<State>> | undefined {
  return document !== undefined && exists(document) ? document : undefined;
}

/** A page of a list; what tells of nothing is in no list. */
export function pageOfExisting<State extends { readonly status: string }>(
  page: DocumentPage<State>,
): DocumentPage<Existing<State>> {
  const { documents, nextAfter } = page;
  // One that is remembered stays the same object: what was made of it is remembered with it.
  return hasOnlyExisting(page) ? page : { documents: documents.filter(exists), nextAfter };
}

function hasOnlyExisting<State extends { readonly status: string }>(
  page: DocumentPage<State>,
): page is DocumentPage<Existing<State>> {
  return page.documents.every(exists);
}

function exists<State extends { readonly status: string }>(
  document: Document<State>,
): document is Document<Existing<State>> {
  return document.state.status !== 'none';
}
