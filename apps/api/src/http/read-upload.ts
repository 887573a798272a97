import { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError, unsupported } from '#nest';

/** An upload: its body is a stream that nothing has read yet. */
export type Upload = Pick<FastifyRequest, 'body' | 'headers' | 'routeOptions'>;

/** Hands a controller the upload of a request. */
export const Upload = createParamDecorator((_options: unknown, context: ExecutionContext): Upload =>
  context.switchToHttp().getRequest<FastifyRequest>(),
);

/** A file that is uploaded. */
interface UploadedFile {
  /** In messages, at the beginning of a sentence. */
  readonly name: string;
  readonly maxBytes: number;
}

/**
 * The bytes of a file as they arrive. Left early, the stream stays open: closing it would close the connection before
 * our answer.
 *
 * @throws ApiError for a file that is too long or breaks off.
 */
export async function* readUpload(
  upload: Upload,
  { name, maxBytes }: UploadedFile,
): AsyncGenerator<Buffer> {
  if (!(upload.body instanceof Readable)) throw unsupported(upload);
  if (Number(upload.headers['content-length'] ?? 0) > maxBytes) throw tooLong(name, maxBytes);
  let byteCount = 0;
  for await (const bytes of pieces(upload.body, name)) {
    byteCount += bytes.length;
    if (byteCount > maxBytes) throw tooLong(name, maxBytes);
    yield bytes;
  }
}

/** A file that is kept in memory as a text. @throws as `readUpload`. */
export async function readUploadedText(upload: Upload, file: UploadedFile): Promise<string> {
  const read: Buffer[] = [];
  for await (const bytes of readUpload(upload, file)) read.push(bytes);
  return Buffer.concat(read).toString('utf8');
}

async function* pieces(body: Readable, name: string): AsyncGenerator<Buffer> {
  try {
    // The body of a request is a stream of bytes.
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new ApiError('INVALID_ARGUMENT', {
      reason: 'BODY_INCOMPLETE',
      message: `${name} broke off; nothing of it was taken. Send it again.`,
      metadata: { detail: error instanceof Error ? error.message : '' },
    });
  }
}

function tooLong(name: string, maxBytes: number): ApiError {
  return new ApiError('RESOURCE_EXHAUSTED', {
    reason: 'BODY_TOO_LARGE',
    message: `${name} has at most ${maxBytes} bytes.`,
    http: 413,
  });
}
