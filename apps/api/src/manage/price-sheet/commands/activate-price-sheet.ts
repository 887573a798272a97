import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { priceSheetAggregate } from '#domain/price-sheet';
import { type CommandContext, commandWith, Ledger } from '#nest';
import type { PriceBooks } from '#price-books';
import { PRICE_BOOKS } from '../../../tokens.js';
import type { UploadedPriceSheetDto } from '../price-sheet.dto.js';
import { answerCurrent } from '../sheet-answers.js';

/** Makes an earlier version of the sheet current again (rules/prices 3). */
export class ActivatePriceSheet extends commandWith<
  { version: number; context: CommandContext },
  UploadedPriceSheetDto
>() {}

@CommandHandler(ActivatePriceSheet)
export class ActivatePriceSheetHandler implements ICommandHandler<ActivatePriceSheet> {
  constructor(
    private readonly ledger: Ledger,
    @Inject(PRICE_BOOKS) private readonly books: PriceBooks,
  ) {}

  async execute({ version, context }: ActivatePriceSheet): Promise<UploadedPriceSheetDto> {
    const { appId, now, actor: activatedBy } = context;
    const command = { kind: 'ActivatePriceSheet', version, activatedBy, now } as const;
    return answerCurrent(
      this.books,
      appId,
      await this.ledger.execute(priceSheetAggregate, appId, command, context),
    );
  }
}
