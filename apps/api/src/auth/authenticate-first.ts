import type { FastifyInstance, FastifyRequest } from 'fastify';
import { takeJson } from '#nest';
import type { Admission } from './admission.js';

type Done = (error: Error | null, value?: unknown) => void;

/**
 * Puts credentials before bodies (rules/http 2): nothing is read from whom bearer token or API key
 * does not let in, and nothing is parsed that a signature does not fit.
 */
export function authenticateFirst(fastify: FastifyInstance, admission: Admission): void {
  fastify.addHook('onRequest', async (request, reply) => admission.admitUnread(request, reply));
  fastify.removeContentTypeParser('application/json');
  const parse = (request: FastifyRequest, body: Buffer, done: Done): void => {
    request.rawBody = body;
    admission
      .admit(request)
      .then(() => takeJson(request, body, done))
      .catch(done);
  };
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse);
}
