import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type PriceSheet,
  type PriceSheetRowsStored,
  type PriceSheetVersion,
  rowsStreamName,
  type UploadedContent,
} from '#domain/price-sheet';
import {
  type CommandContext,
  type EventStore,
  eventsToAppend,
  RevisionConflict,
} from '#event-store';
import { renderPriceSheetCsv } from './price-sheet-csv.js';
import { chunkRows, PriceSheetAssembler } from './row-chunks.js';

/** The SHA-256 of the sheet's canonical CSV (decision 0022), made in slices so that other requests are answered in between. */
export async function hashContent(sheet: PriceSheet): Promise<string> {
  const hash = createHash('sha256');
  for (const piece of renderPriceSheetCsv(sheet)) {
    hash.update(piece);
    await nextTurn();
  }
  return hash.digest('hex');
}

/**
 * Stores the rows of a good sheet before it becomes a version. The stream is named by the content, so that an upload
 * that broke off goes on, and two at once agree (decision 0022).
 *
 * @throws Fault as `EventStore.append` does: the same upload again goes on.
 */
export async function storeRows(
  store: EventStore,
  sheet: PriceSheet,
  contentHash: string,
  context: CommandContext,
): Promise<UploadedContent> {
  const rowsStream = rowsStreamName(context.appId, contentHash);
  const storedBefore = (await store.headRevision(rowsStream)) + 1;
  let chunkCount = 0;
  for (const chunk of chunkRows(sheet)) {
    if (chunkCount >= storedBefore) await appendChunk(store, rowsStream, chunk, context);
    chunkCount += 1;
    await nextTurn();
  }
  const { rowCount, priceIdCount } = sheet;
  return { contentHash, rowCount, priceIdCount, rowsStream, chunkCount };
}

/** The sheet of a version, put together from its chunks. @throws Fault as `EventStore.readStream` does. */
export async function readStoredSheet(
  store: EventStore,
  version: PriceSheetVersion,
): Promise<PriceSheet> {
  const { rowsStream, chunkCount, rowCount } = version;
  const assembler = new PriceSheetAssembler();
  for await (const event of store.readStream(rowsStream, { maxCount: chunkCount })) {
    // A stream of this category carries no other event.
    assembler.add(event.data as PriceSheetRowsStored['data']);
    await nextTurn();
  }
  return assembler.finish(rowCount);
}

/** A chunk's number is its revision: of two uploads of one content the second finds it stored. */
async function appendChunk(
  store: EventStore,
  rowsStream: string,
  event: PriceSheetRowsStored,
  context: CommandContext,
): Promise<void> {
  const { chunk } = event.data;
  const act = { ...context, eventIdsFrom: `${rowsStream} ${chunk}` };
  const expected = chunk === 0 ? 'no_stream' : chunk - 1;
  try {
    await store.append(rowsStream, expected, eventsToAppend([event], act, NO_EVENT_BEFORE));
  } catch (error) {
    if (error instanceof RevisionConflict && (error.actual ?? -1) >= chunk) return;
    throw error;
  }
}

/** Rows have no order in time among them. */
const NO_EVENT_BEFORE = '';
