import { readQuestion, type ReportQuestion, REPORTS } from '#finance';

/** A report of one app that a process of its own writes. */
export interface ReportTask {
  readonly app: string;
  readonly question: ReportQuestion;
}

/** The first line of the answer of that process; the report follows it. */
export type ReportStart = 'begun' | { readonly reason: string; readonly message: string };

/** Exit codes of that process beside 0: the store is out of reach, and asking again may help. */
export const EXIT_UNREACHABLE = 3;

const PREFIX = '/reports/';

/** The report that an API asks for; undefined for a path that names none. */
export function readReportTask(path: string): ReportTask | undefined {
  const { pathname, searchParams } = new URL(path, 'http://bookkeeper');
  const name = pathname.startsWith(PREFIX) ? pathname.slice(PREFIX.length) : '';
  const choice = REPORTS.find((report) => report.name === name);
  const texts = Object.fromEntries(searchParams) as Readonly<Record<string, string>>;
  const { app = '' } = texts;
  const question = choice && readQuestion(choice, texts);
  if (question === undefined || 'violations' in question || app === '') return undefined;
  return question.format === 'table' ? undefined : { app, question };
}
