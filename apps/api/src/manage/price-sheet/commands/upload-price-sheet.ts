import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type PriceSheet, priceSheetAggregate } from '#domain/price-sheet';
import type { EventStore } from '#event-store';
import { type CommandContext, EVENT_STORE, Ledger } from '#nest';
import { hashContent, type PriceBooks, storeRows } from '#price-books';
import { PRICE_BOOKS } from '../../../tokens.js';
import type { UploadedPriceSheetDto } from '../price-sheet.dto.js';
import { readPriceSheet, type SheetUpload } from '../read-price-sheet.js';
import { type AcceptedSheet, answerCurrent } from '../sheet-answers.js';

const OPTIONS = { what: 'price sheet' };

/** Takes a whole price sheet, which is in force from now on, or nothing of it (rules/prices 3). */
export class UploadPriceSheet extends Command<UploadedPriceSheetDto> {
  constructor(
    readonly upload: SheetUpload,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(UploadPriceSheet)
export class UploadPriceSheetHandler implements ICommandHandler<UploadPriceSheet> {
  constructor(
    private readonly ledger: Ledger,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PRICE_BOOKS) private readonly books: PriceBooks,
  ) {}

  async execute({ upload, context: keyed }: UploadPriceSheet): Promise<UploadedPriceSheetDto> {
    // With a key, If-Match waits for the content: a repetition is answered whatever the revision is.
    if (keyed.commandId === undefined) await this.answerBefore(keyed);
    const sheet = await readPriceSheet(upload, keyed.now);
    const contentHash = await hashContent(sheet);
    const context = withContent(keyed, contentHash);
    const earlier = await this.answerBefore(context);
    const result = earlier ?? (await this.storeAndRun(sheet, contentHash, context));
    return answerCurrent(this.books, keyed.appId, result);
  }

  /** @throws ApiError 9 or 10 where If-Match or the key refuses the request whatever it says. */
  private answerBefore(context: CommandContext): Promise<AcceptedSheet | undefined> {
    return this.ledger.answerBefore(priceSheetAggregate, context.appId, context, OPTIONS);
  }

  /** The rows are stored last: what is refused leaves none (rules/http 6). */
  private async storeAndRun(
    sheet: PriceSheet,
    contentHash: string,
    context: CommandContext,
  ): Promise<AcceptedSheet> {
    const { commandId: _id, commandHash: _hash, ifMatch: _ifMatch, ...unkeyed } = context;
    const content = await storeRows(this.store, sheet, contentHash, unkeyed);
    const { appId, now, actor: uploadedBy } = context;
    const command = { kind: 'UploadPriceSheet', content, uploadedBy, now } as const;
    return this.ledger.execute(priceSheetAggregate, appId, command, context, OPTIONS);
  }
}

/** The body went by as a stream: the hash of its content stands for what was asked. */
function withContent(context: CommandContext, contentHash: string): CommandContext {
  if (context.commandHash === undefined) return context;
  const { commandHash, formerCommandHash = commandHash } = context;
  return {
    ...context,
    commandHash: `${commandHash}.${contentHash}`,
    formerCommandHash: `${formerCommandHash}.${contentHash}`,
  };
}
