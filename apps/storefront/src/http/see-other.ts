import { answerWithoutBody } from '#nest';

/** Leads a browser to a page, without a body, where the same route answers data to programs. */
export function seeOther(url: string): object {
  const notes = { status: 303, headers: { location: url } };
  // eslint-disable-next-line @typescript-eslint/no-confusing-void-expression -- The notes are found by it.
  return answerWithoutBody(notes) as unknown as object;
}
