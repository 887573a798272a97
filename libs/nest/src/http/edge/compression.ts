import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addVary } from '../answer/vary.js';

/** Below a packet or so there is nothing to gain. */
const MIN_BYTES = 1024;
const COMPRESSIBLE =
  /^(?:application\/(?:json|javascript)|text\/(?:html|css|csv|javascript|plain)|image\/svg\+xml)\b/;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the answer holds a credential: its length must not depend on its content by compression. */
    readonly holdsCredential?: boolean;
  }
}

/**
 * Compresses long answers to reads (rules/http 10): to GET, of one kilobyte or more. Answers that hold a secret or a
 * credential are left as they are: secrets are only in answers to POST, and other routes declare a credential. From the
 * length of a compressed answer, an attacker who chooses a part of it can guess the rest (BREACH).
 *
 * An answer with a strong ETag goes as it is: that names the bytes, and If-Match sends it back. The library would
 * compress all of these and names `Vary` only where it has compressed.
 */
export async function compressAnswers(fastify: FastifyInstance): Promise<void> {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (variesByCoding(request, reply)) addVary(reply, 'accept-encoding');
    if (!isEligible(request, reply)) request.headers['x-no-compression'] = 'true';
    done();
  });
  await fastify.register(compress, {
    ...{ encodings: ['gzip'], threshold: MIN_BYTES, customTypes: COMPRESSIBLE },
    globalDecompression: false,
  });
}

function isEligible(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'GET' || reply.statusCode !== 200) return false;
  return variesByCoding(request, reply);
}

/**
 * Whether another client might get this answer compressed. That holds for a HEAD and for a 304 as well,
 * which a cache takes for the state of the answer that it keeps (RFC 9110, 15.4.5); a 304 has no length and no type.
 */
function variesByCoding({ method, routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (routeOptions.config.holdsCredential === true) return false;
  if (reply.hasHeader('content-encoding')) return false;
  if (String(reply.getHeader('etag') ?? '').startsWith('"')) return false;
  if (reply.statusCode === 304) return true;
  const length = reply.getHeader('content-length');
  if (reply.statusCode !== 200 || Number(length ?? MIN_BYTES) < MIN_BYTES) return false;
  return COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''));
}
