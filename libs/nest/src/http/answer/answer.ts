import type { FastifyReply } from 'fastify';
import type { Position } from '#domain/event';
import { assertDefect } from '#platform';
import { setConsistencyToken, setRevision } from './headers.js';

/** The headers of an answer beside its body. A command's result is one: revision, position, replayed. */
export interface AnswerNotes {
  /** For a status that is not the route's own. */
  readonly status?: number;
  /** Of the stream, as the `ETag` (rules/api 14). */
  readonly revision?: number;
  /** The consistency token's position, which a later read sends back to see this write (rules/api 15). */
  readonly position?: Position | null;
  /** Of the stream that was written: reads of other partitions then do not wait for it. */
  readonly bucket?: string;
  /** Whether the same request was answered before, as `Idempotency-Replayed` (rules/api 13). */
  readonly replayed?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

const notesByBody = new WeakMap<object, AnswerNotes>();

/**
 * Notes the headers of an answer beside its body: handlers of commands and queries return it, so that no controller
 * touches a reply. `AnsweringAdapter` writes the notes.
 */
export function answer<Body extends object>(body: Body, notes: AnswerNotes): Body {
  assertDefect(!(body instanceof PrintedBody), 'what is printed is given its notes with its text');
  notesByBody.set(body, notes);
  return body;
}

/** An answer of headers alone, for routes whose status is 204. */
export function answerWithoutBody(notes: AnswerNotes): undefined {
  // Types say that there is no body: the adapter drops this object.
  return answer(new BodylessAnswer(), notes) as unknown as undefined;
}

class BodylessAnswer {}

/** A body that is printed already: it is sent as it is, as JSON. */
export class PrintedBody {
  constructor(
    readonly json: string,
    readonly notes: AnswerNotes,
  ) {}
}

const NO_NOTES: AnswerNotes = {};

/** A body as the JSON that a renderer has printed, where objects would only be made to be printed. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- The route's own type.
export function printed<Body extends object>(json: string, notes = NO_NOTES): Body {
  // Types name the body, which this text is: the adapter unwraps it.
  return new PrintedBody(json, notes) as unknown as Body;
}

/** The notes beside a body, if there are any. */
export function notesBeside(body: unknown): AnswerNotes | undefined {
  if (body instanceof PrintedBody) return body.notes;
  return typeof body === 'object' && body !== null ? notesByBody.get(body) : undefined;
}

/** Writes the headers of an answer. @returns the body that is sent. */
export function writeAnswer(body: unknown, notes: AnswerNotes, reply: FastifyReply): unknown {
  const { revision, position = null, bucket, replayed, headers } = notes;
  if (revision !== undefined) setRevision(reply, revision);
  setConsistencyToken(reply, position, bucket);
  if (replayed === true) reply.header('idempotency-replayed', 'true');
  if (headers !== undefined) reply.headers(headers);
  return body instanceof BodylessAnswer ? undefined : body;
}
