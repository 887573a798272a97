import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { findUnfit } from '#nest';

/** A form of ours has a few short fields. */
const FORM_LIMIT_BYTES = 4096;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The configuration of a route that takes HTML forms beside JSON. */
export const TAKES_FORMS: Pick<FastifyContextConfig, 'takes'> = { takes: 'json or form' };

type Done = (error: Error | null, fields?: unknown) => void;

/** Parses HTML forms (`application/x-www-form-urlencoded`) for routes that take them. */
export function takeForms(fastify: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES } as const;
  fastify.addContentTypeParser(
    FORM_TYPE,
    options,
    (request: FastifyRequest, bytes: Buffer, done: Done) => {
      const unfit = findUnfit(request, FORM_TYPE);
      if (unfit !== undefined) {
        done(unfit);
        return;
      }
      request.rawBody = bytes;
      done(null, Object.fromEntries(new URLSearchParams(bytes.toString())));
    },
  );
}
