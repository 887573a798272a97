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
export function pageOfExisting<State extends { readonly status: string }>({
  documents,
  nextAfter,
}: DocumentPage<State>): DocumentPage<Existing<State>> {
  return { documents: documents.filter(exists), nextAfter };
}

function exists<State extends { readonly status: string }>(
  document: Document<State>,
): document is Document<Existing<State>> {
  return document.state.status !== 'none';
}
