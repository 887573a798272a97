import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { parseInstant } from '#domain/calendar';
import { currentPriceSheet, explainQuote } from '#domain/price-sheet';
import { taxRatesAggregate } from '#domain/pricing';
import { APP_DIRECTORY, CommandContexts, Ledger, rejected } from '#nest';
import type { PriceBooks } from '#price-books';
import type { AppDirectory } from '#tenancy';
import { PRICE_BOOKS } from '../../../tokens.js';
import type { ExplainQuery, ExplanationDto } from '../price-sheet.dto.js';
import { SheetHistory } from '../sheet-history.js';

/** Each step of the arithmetic of one price, now or at any moment of the past (rules/prices 1). */
export class ExplainPrice extends Query<ExplanationDto> {
  constructor(
    readonly appId: string,
    readonly price: ExplainQuery,
  ) {
    super();
  }
}

@QueryHandler(ExplainPrice)
export class ExplainPriceHandler implements IQueryHandler<ExplainPrice> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly ledger: Ledger,
    private readonly history: SheetHistory,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(PRICE_BOOKS) private readonly books: PriceBooks,
  ) {}

  async execute({ appId, price }: ExplainPrice): Promise<ExplanationDto> {
    const { priceId, country, rounding, at } = price;
    const app = await this.contexts.requireApp(appId);
    const moment = parseInstant(at ?? '') ?? (await this.apps.now(app));
    const { state } = await this.history.load(appId);
    const version = currentPriceSheet(state, moment);
    const { state: taxRates } = await this.ledger.load(taxRatesAggregate, appId);
    const basis = version && {
      sheet: await this.books.loadSheet(appId, version),
      sheetVersion: version.version,
      taxRates,
    };
    const asked = { priceId, country, ...(rounding !== undefined && { rounding }) };
    const explained = explainQuote(basis, asked, moment);
    if (!explained.accepted) throw rejected(explained.rejection);
    return { ...explained.explanation, steps: [...explained.explanation.steps] };
  }
}
