import type { FastifyReply } from 'fastify';
import type { QuoteProvenance } from '#domain/price-sheet';

/** What prices were made from, so that they can be made again (rules/prices 1). */
export function setProvenance(reply: FastifyReply, provenance: QuoteProvenance): void {
  setSheetVersion(reply, provenance.sheetVersion);
  setTaxVersion(reply, provenance.taxVersion);
  reply.header('x-pricing-rule-version', provenance.ruleVersion);
}

/** The version of the app's price sheet, counted from 1. */
export function setSheetVersion(reply: FastifyReply, version: number): void {
  reply.header('x-price-sheet-version', String(version));
}

/** The version of the app's tax rates, counted from 1; 0 where none are in force. */
export function setTaxVersion(reply: FastifyReply, version: number): void {
  reply.header('x-tax-rates-version', String(version));
}
