import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { answer, APP_DIRECTORY, CommandContexts, queryWith, rejected } from '#nest';
import type { PriceBooks } from '#price-books';
import type { AppDirectory } from '#tenancy';
import { PRICE_BOOKS } from '../../tokens.js';
import { readConversionBody, refuseParameters } from '../conversion-body.js';
import { type ConversionSource, provenanceHeaders } from '../conversion-source.decorator.js';

/** Prices of the app's sheet in the currency of a country, as the JSON of a `ConversionDto`. */
export class ConvertPrices extends queryWith<{ source: ConversionSource }, Buffer>() {}

@QueryHandler(ConvertPrices)
export class ConvertPricesHandler implements IQueryHandler<ConvertPrices> {
  constructor(
    @Inject(PRICE_BOOKS) private readonly books: PriceBooks,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    private readonly contexts: CommandContexts,
  ) {}

  async execute({ source }: ConvertPrices): Promise<Buffer> {
    const { appId, bytes, isConsistent, parameters } = source;
    if (isConsistent) await this.books.refresh(appId);
    const now = await this.apps.now(await this.contexts.requireApp(appId));
    if (parameters.length > 0) refuseParameters(parameters, bytes, now);
    const outcome = await this.books.convert(appId, bytes, readConversionBody, now);
    if (!outcome.accepted) throw rejected(outcome.rejection);
    return answer(outcome.body, { headers: provenanceHeaders(outcome.provenance) });
  }
}
