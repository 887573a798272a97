import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { unsupported } from '#nest';

/** A form of ours has a few short fields. */
const FORM_LIMIT_BYTES = 4096;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route takes what an HTML form sends; all others take JSON. */
    takesForms?: true;
  }
}

/** The configuration of a route that takes forms. */
export const TAKES_FORMS: Pick<FastifyContextConfig, 'takesForms'> = { takesForms: true };

type Done = (error: Error | null, fields?: unknown) => void;

/** Parses HTML forms (`application/x-www-form-urlencoded`) for routes that take them. */
export function takeForms(fastify: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES } as const;
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    options,
    (request: FastifyRequest, bytes: Buffer, done: Done) => {
      if (request.routeOptions.config.takesForms !== true) {
        done(unsupported('application/json'));
        return;
      }
      request.rawBody = bytes;
      done(null, Object.fromEntries(new URLSearchParams(bytes.toString())));
    },
  );
}
