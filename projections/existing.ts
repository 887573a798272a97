import type { Document, DocumentPage } from '#projection-engine/define';

/** A stream may hold nothing but the note of a command that changed nothing: then there is no such thing. */
type Existing<State> = Exclude<State, { readonly status: 'none' }>;

/** The document, or undefined where its stream has begun nothing. */
export function onlyExisting<State extends { readonly status: string }>(
  document: Document<State> | undefined,
): Document<Existing<State>> | undefined {
  return document !== undefined && exists(document) ? document : undefined;
}

/** A page of a list; a stream that has begun nothing is in no list. */
export function pageOfExisting<State extends { readonly status: string }>(
  page: DocumentPage<State>,
): DocumentPage<Existing<State>> {
  const { documents, nextAfter } = page;
  // A remembered one stays the same object: texts made of it are remembered with it.
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
