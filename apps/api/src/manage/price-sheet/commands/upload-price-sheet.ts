import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { currentPriceSheet, type PriceSheet, priceSheetAggregate } from '#domain/price-sheet';
import type { EventStore } from '#event-store';
import { ApiError, type CommandContext, commandWith, EVENT_STORE, Ledger } from '#nest';
import {
  collectDoubtfulRows,
  describeDoubtfulRows,
  type DoubtfulRows,
  hashContent,
  type PriceBooks,
  type SheetThatWasRead,
  storeRows,
} from '#price-books';
import { PRICE_BOOKS } from '../../../tokens.js';
import type { UploadedPriceSheetDto } from '../price-sheet.dto.js';
import type { Upload } from '../../../http/read-upload.js';
import { readPriceSheet } from '../read-price-sheet.js';
import { type AcceptedSheet, answerCurrent } from '../sheet-answers.js';

/** A sheet whose rows were compared with those of a version. */
interface ComparedSheet {
  readonly sheet: PriceSheet;
  readonly contentHash: string;
  readonly comparedWith: number | null;
}

/** Takes a whole price sheet, which is in force from now on, or nothing of it (rules/prices 3). */
export class UploadPriceSheet extends commandWith<
  {
    upload: Upload;
    /** How many doubtful rows are meant (rules/prices 9). */
    confirmed: number;
    context: CommandContext;
  },
  UploadedPriceSheetDto
>() {}

@CommandHandler(UploadPriceSheet)
export class UploadPriceSheetHandler implements ICommandHandler<UploadPriceSheet> {
  constructor(
    private readonly ledger: Ledger,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PRICE_BOOKS) private readonly books: PriceBooks,
  ) {}

  async execute({
    upload,
    confirmed,
    context: keyed,
  }: UploadPriceSheet): Promise<UploadedPriceSheetDto> {
    // With a key, If-Match waits for the content: a repetition is answered whatever the revision is.
    if (keyed.commandId === undefined) await this.answerBefore(keyed);
    const read = await readPriceSheet(upload, keyed.now);
    const contentHash = await hashContent(read.sheet);
    const context = withContent(keyed, contentHash);
    const earlier = await this.answerBefore(context);
    const result = earlier ?? (await this.compareAndRun(read, contentHash, confirmed, context));
    return answerCurrent(this.books, keyed.appId, result);
  }

  /** The version in force needs no comparison. @throws ApiError 9 for rows in doubt. */
  private async compareAndRun(
    read: SheetThatWasRead,
    contentHash: string,
    confirmed: number,
    context: CommandContext,
  ): Promise<AcceptedSheet> {
    const { state } = await this.ledger.load(priceSheetAggregate, context.appId);
    const current = currentPriceSheet(state);
    if (current !== undefined && current.contentHash !== contentHash) {
      const inForce = await this.books.loadSheet(context.appId, current);
      const doubtful = await collectDoubtfulRows(inForce, read);
      if (doubtful.count !== 0 && doubtful.count !== confirmed) throw doubtfulSheet(doubtful);
    }
    const comparedWith = current?.version ?? null;
    return this.storeAndRun({ sheet: read.sheet, contentHash, comparedWith }, context);
  }

  /** @throws ApiError 9 or 10 where If-Match or the key refuses the request whatever it says. */
  private answerBefore(context: CommandContext): Promise<AcceptedSheet | undefined> {
    return this.ledger.answerBefore(priceSheetAggregate, context.appId, context);
  }

  /** The rows are stored last: a refused sheet leaves none (rules/http 6). */
  private async storeAndRun(
    { sheet, contentHash, comparedWith }: ComparedSheet,
    context: CommandContext,
  ): Promise<AcceptedSheet> {
    const { commandId: _id, commandHash: _hash, ifMatch: _ifMatch, ...unkeyed } = context;
    const content = await storeRows(this.store, sheet, contentHash, unkeyed);
    const { appId, now, actor: uploadedBy } = context;
    const command = {
      kind: 'UploadPriceSheet',
      content,
      comparedWith,
      uploadedBy,
      now,
    } as const;
    return this.ledger.execute(priceSheetAggregate, appId, command, context);
  }
}

/** The body went by as a stream: the hash of its content stands for it. */
function withContent(context: CommandContext, contentHash: string): CommandContext {
  if (context.commandHash === undefined) return context;
  return { ...context, commandHash: `${context.commandHash}.${contentHash}` };
}

function doubtfulSheet(doubtful: DoubtfulRows): ApiError {
  const { count, violations } = doubtful;
  return new ApiError('FAILED_PRECONDITION', {
    reason: 'PRICE_SHEET_DOUBTFUL',
    message: describeDoubtfulRows(doubtful, `confirm=${count}`),
    fieldViolations: violations,
    violationCount: count,
    metadata: { confirm: String(count) },
  });
}
