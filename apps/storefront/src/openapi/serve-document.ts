import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Serves OpenAPI 3.1 of the storefront's public calls at /openapi.json. It has no page to try it: such a page needs
 * styles inside of it, which no page of this origin may have, and would act with the session of the player who looks at
 * it.
 */
export function serveDocument(app: NestFastifyApplication): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  let document: string | undefined;
  fastify.get('/openapi.json', async (_request, reply) => {
    document ??= await makeDocument(app);
    return reply.type('application/json; charset=utf-8').send(document);
  });
}

/** Few processes are ever asked for it: its maker is loaded then, and not at the start. */
async function makeDocument(app: NestFastifyApplication): Promise<string> {
  const { printDocument } = await import('./print-document.js');
  return printDocument(app);
}
