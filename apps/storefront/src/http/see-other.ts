import { answerWithoutBody } from '#nest';

/** Leads a browser to a page, without a body, where the same route answers data to programs. */
export function seeOther(url: string): object {
  const notes = { status: 303, headers: { location: url } };
  // eslint-disable-next-line @typescript-eslint/no-confusing-void-expression -- It is what the notes are found by.
  return answerWithoutBody(notes) as unknown as object;
}
