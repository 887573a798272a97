import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Instant } from '#domain/event';
import { type BadRow, badRowViolation, MAX_SHEET_BYTES } from '#domain/price-sheet';
import { ApiError, unsupported } from '#nest';
import { PriceSheetReader, type SheetThatWasRead } from '#price-books';

/** An upload: its body is a stream that nothing has read yet. */
export type SheetUpload = Pick<FastifyRequest, 'body' | 'headers' | 'routeOptions'>;

/** Hands a controller the upload of a request. */
export const SheetUpload = createParamDecorator(
  (_options: unknown, context: ExecutionContext): SheetUpload =>
    context.switchToHttp().getRequest<FastifyRequest>(),
);

/**
 * Reads a price sheet as it arrives, a piece at a time, so that other requests are
 * answered in between. Nothing is kept of a sheet that is bad, too long or breaks off.
 *
 * @param at the moment whose countries and currencies apply.
 * @throws ApiError, for a bad sheet with a violation for every bad row, up to a hundred.
 */
export async function readPriceSheet(upload: SheetUpload, at: Instant): Promise<SheetThatWasRead> {
  if (!(upload.body instanceof Readable)) throw unsupported(upload);
  if (Number(upload.headers['content-length'] ?? 0) > MAX_SHEET_BYTES) throw tooLong();
  const reader = new PriceSheetReader(at);
  let byteCount = 0;
  for await (const bytes of pieces(upload.body)) {
    byteCount += bytes.length;
    if (byteCount > MAX_SHEET_BYTES) throw tooLong();
    reader.write(bytes);
    await nextTurn();
  }
  const reading = reader.finish();
  if (!reading.accepted) throw badSheet(reading.badRows, reading.badRowCount);
  return reading;
}

/** Left early, the stream stays open: closing it would close the connection before our answer. */
async function* pieces(body: Readable): AsyncGenerator<Buffer> {
  try {
    // The body of a request is a stream of bytes.
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new ApiError('INVALID_ARGUMENT', {
      reason: 'BODY_INCOMPLETE',
      message: 'The price sheet broke off; nothing of it was taken. Send it again.',
      metadata: { detail: error instanceof Error ? error.message : '' },
    });
  }
}

function badSheet(badRows: readonly BadRow[], count: number): ApiError {
  const rows = count === 1 ? 'one bad row' : `${count} bad rows`;
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'INVALID_PRICE_SHEET',
    message: `The price sheet has ${rows}; nothing of it was taken.`,
    fieldViolations: badRows.map(badRowViolation),
    violationCount: count,
  });
}

function tooLong(): ApiError {
  return new ApiError('RESOURCE_EXHAUSTED', {
    reason: 'BODY_TOO_LARGE',
    message: `A price sheet has at most ${MAX_SHEET_BYTES} bytes.`,
    http: 413,
  });
}
