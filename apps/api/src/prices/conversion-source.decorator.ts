import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { QuoteProvenance } from '#domain/price-sheet';
import { readConsistencyToken, requireAppCaller } from '#nest';

/** A request to convert prices. Its body is bytes: equal bytes are equal requests, parsed only once. */
export interface ConversionSource {
  readonly appId: string;
  readonly bytes: Buffer;
  /** Whether the caller has to see its own write: it sent a consistency token (rules/api 15). */
  readonly isConsistent: boolean;
  /** Names of query parameters, none of which a conversion has. */
  readonly parameters: readonly string[];
}

/** A request without a body at all. */
const NOTHING = Buffer.alloc(0);

/** Hands the controller all of a conversion in one parameter: each one costs a turn through the pipes. */
export const ConversionSource = createParamDecorator(
  (_options: unknown, context: ExecutionContext): ConversionSource => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return {
      appId: requireAppCaller(request).appId,
      bytes: request.rawBody ?? NOTHING,
      isConsistent: readConsistencyToken(request) !== undefined,
      parameters: Object.keys(request.query as object),
    };
  },
);

type Headers = Readonly<Record<string, string>>;

/** The source of prices, so that they can be made again (rules/prices 1). */
export function provenanceHeaders(provenance: QuoteProvenance): Headers {
  return {
    'x-price-sheet-version': String(provenance.sheetVersion),
    'x-tax-rates-version': String(provenance.taxVersion),
    'x-pricing-rule-version': provenance.ruleVersion,
  };
}

/** The version of the app's price sheet, counted from 1. */
export function sheetVersionHeader(version: number): Headers {
  return { 'x-price-sheet-version': String(version) };
}

/** The version of the app's tax rates, counted from 1; 0 where none are in force. */
export function taxVersionHeader(version: number): Headers {
  return { 'x-tax-rates-version': String(version) };
}
