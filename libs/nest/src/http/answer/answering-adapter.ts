import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { notesBeside, PrintedBody, writeAnswer } from './answer.js';

/** As Fastify sends it of objects. */
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Writes the headers that handlers note beside their results, in the one place where Nest hands a result to Fastify. An
 * interceptor would do the same for a tenth of the time of a conversion of prices.
 */
export class AnsweringAdapter extends FastifyAdapter {
  override reply(response: FastifyReply, body: unknown, statusCode?: number) {
    const notes = notesBeside(body);
    const sent = notes === undefined ? body : writeAnswer(body, notes, response);
    const status = notes?.status ?? statusCode;
    if (!(sent instanceof PrintedBody)) return super.reply(response, sent, status);
    if (status !== undefined) response.status(status);
    // Nest looks for fields in a body that a printed text does not have.
    return response.header('content-type', JSON_TYPE).send(sent.json);
  }
}
