import { Injectable } from '@nestjs/common';
import {
  priceSheetAggregate,
  type PriceSheetHistory,
  priceSheetVersion,
  type PriceSheetVersion,
} from '#domain/price-sheet';
import { CommandContexts, Ledger, rejected } from '#nest';
import { versionNumber } from '../versions.js';

/** Reads the versions of an app's price sheet from the store. */
@Injectable()
export class SheetHistory {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly ledger: Ledger,
  ) {}

  /** @throws ApiError when there is no such app. */
  async load(appId: string): Promise<{ state: PriceSheetHistory; revision: number }> {
    await this.contexts.requireApp(appId);
    return this.ledger.load(priceSheetAggregate, appId);
  }

  /** @param number as it stands in a path. @throws ApiError when there is no such version. */
  async version(appId: string, number: string): Promise<PriceSheetVersion> {
    const { state } = await this.load(appId);
    const version = priceSheetVersion(state, versionNumber(number));
    if (version === undefined) throw rejected({ code: 'price_sheet/unknown_version' });
    return version;
  }
}
