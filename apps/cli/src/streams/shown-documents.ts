import process from 'node:process';
import { categoryOf, idOf, type Position } from '#domain/event';
import type { LedgerStore } from '#event-store';
import { createReadModels, type ReadModels } from '#projection-engine';
import type { DocumentReads, Projection, StreamRecipe } from '#projection-engine/define';
import { projections } from '#projections';
import { findRedisUrl } from '../data-dir.js';
import type { StoreCommandOptions } from '../store-command.js';

/** A read model with a document for each stream of some categories, and the recipe of these documents. */
export interface ShowingProjection extends Projection<unknown> {
  readonly recipe: StreamRecipe;
}

/** The document of a stream in the read model that answers, as it is now. */
export type ShownDocument =
  | { readonly kind: 'found'; readonly revision: number; readonly state: unknown }
  /** There is none, in a read model that has every event up to this position. */
  | { readonly kind: 'missing'; readonly upTo: Position }
  /** It could not be read: Redis is away, the read model is being built, or the document is damaged. */
  | { readonly kind: 'unread'; readonly why: string };

/** The read models that have a document of a stream, first the one that the API shows. */
export function findShowing(streamName: string): ShowingProjection[] {
  const category = categoryOf(streamName);
  return projections.flatMap((projection) => {
    const { recipe, categories } = projection;
    const isShowing = recipe?.of === 'stream' && categories.includes(category);
    return isShowing ? [{ ...projection, recipe }] : [];
  });
}

/** Reads the documents of a stream. It never fails: the reason stands in the place of a document. */
export async function readShownDocuments(
  store: Pick<LedgerStore, 'namespaces'>,
  options: StoreCommandOptions,
  streamName: string,
  showing: readonly ShowingProjection[],
): Promise<ShownDocument[]> {
  const asked = showing.map((projection) => {
    return { ...projection, queries: (read: DocumentReads<unknown>) => read };
  });
  let readModels: ReadModels | undefined;
  try {
    const redis = findRedisUrl(options, process.env);
    const identity = await store.namespaces.require();
    const opened = createReadModels({ redis, identity, projections: asked });
    readModels = opened;
    const id = idOf(streamName);
    // Read before the documents, so that one that is missing was missing up to there.
    const upTo = await opened.watermark(opened.partitions.find(id));
    return await Promise.all(asked.map((each) => readDocument(opened.ask(each), id, upTo)));
  } catch (error) {
    return showing.map(() => unread(error));
  } finally {
    await readModels?.close();
  }
}

async function readDocument(
  reads: DocumentReads<unknown>,
  id: string,
  upTo: Position,
): Promise<ShownDocument> {
  try {
    const document = await reads.find(id);
    if (document === undefined) return { kind: 'missing', upTo };
    return { kind: 'found', revision: document.revision, state: document.state };
  } catch (error) {
    return unread(error);
  }
}

function unread(error: unknown): ShownDocument {
  return { kind: 'unread', why: error instanceof Error ? error.message : String(error) };
}
