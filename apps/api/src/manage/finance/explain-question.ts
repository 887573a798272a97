import { AN_END, type BookkeeperTask, EXPLAINABLE, readExplainable, readReportEnd } from '#finance';
import { invalidFields } from '#nest';
import type { ExplainFinanceQuery } from './finance.dto.js';

/** The task of a question where a figure comes from. @throws ApiError with every bad parameter. */
export function readExplainTask(
  app: string,
  { what = '', asOf: text }: ExplainFinanceQuery,
): Extract<BookkeeperTask, { kind: 'explain' }> {
  const end = text === undefined ? 'last' : readReportEnd(text);
  const violations = [
    ...(readExplainable(what) === undefined ? [refuse('what', EXPLAINABLE)] : []),
    ...(end === undefined ? [refuse('asOf', AN_END)] : []),
  ];
  if (end === undefined || violations.length > 0) throw invalidFields(violations);
  return { app, kind: 'explain', what, asOf: end };
}

function refuse(field: string, wanted: string) {
  return { field, description: `must be ${wanted}` };
}
