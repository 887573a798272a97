import type { AccountingPeriod } from '#domain/bookkeeping';
import type { WantedCloses } from '../close/verify-closes.js';
import { readExplainable } from '../explain/question.js';
import { REPORTS } from '../report/formats.js';
import {
  isPeriod,
  printReportEnd,
  readQuestion,
  readReportEnd,
  type ReportEnd,
  type ReportQuestion,
} from '../report/question.js';

/** Work on the books of an app, which the API hands on to a bookkeeper (rules/finance 12). */
export type BookkeeperTask = { readonly app: string } & (
  | { readonly kind: 'report'; readonly question: ReportQuestion }
  | { readonly kind: 'count' | 'restate'; readonly period: AccountingPeriod }
  | { readonly kind: 'verify'; readonly wanted: Exclude<WantedCloses, 'last'> }
  | { readonly kind: 'explain'; readonly what: string; readonly asOf: ReportEnd }
);

/** The path and query of a task, which `readTask` reads. */
export function printTask(task: BookkeeperTask): string {
  const [path, texts] = describeTask(task);
  const query = new URLSearchParams({ app: task.app });
  for (const [name, text] of Object.entries(texts)) {
    if (text !== undefined) query.set(name, text);
  }
  return `/${path}?${query.toString()}`;
}

type Texts = Readonly<Record<string, string | undefined>>;

function describeTask(task: BookkeeperTask): readonly [path: string, texts: Texts] {
  switch (task.kind) {
    case 'report': {
      const { report, asOf, ...texts } = task.question;
      return [`report/${report}`, { ...texts, asOf: printEnd(asOf) }];
    }
    case 'count':
    case 'restate':
      return [task.kind, { period: task.period }];
    case 'verify':
      return [task.kind, typeof task.wanted === 'object' ? task.wanted : {}];
    case 'explain':
      return [task.kind, { what: task.what, asOf: printEnd(task.asOf) }];
  }
}

/** Undefined for the last checkpoint, which counts where none is named. */
function printEnd(end: ReportEnd): string | undefined {
  return end === 'last' ? undefined : printReportEnd(end);
}

/** Undefined for a path that names no task. */
export function readTask(text: string): BookkeeperTask | undefined {
  const { pathname, searchParams } = new URL(text, 'http://bookkeeper');
  const { app = '', ...texts } = Object.fromEntries(searchParams) as Record<string, string>;
  const [, kind = '', report = ''] = pathname.split('/');
  const wanted = app === '' ? undefined : readWanted(kind, report, texts);
  return wanted && { app, ...wanted };
}

type Wanted<Task> = Task extends BookkeeperTask ? Omit<Task, 'app'> : never;

function readWanted(
  kind: string,
  report: string,
  texts: Texts,
): Wanted<BookkeeperTask> | undefined {
  const { period = '', what = '', asOf } = texts;
  switch (kind) {
    case 'report':
      return readReport(report, texts);
    case 'count':
    case 'restate':
      return isPeriod(period) ? { kind, period } : undefined;
    case 'verify':
      if (texts['period'] === undefined) return { kind, wanted: 'all' };
      return isPeriod(period) ? { kind, wanted: { period } } : undefined;
    case 'explain': {
      const end = asOf === undefined ? 'last' : readReportEnd(asOf);
      if (end === undefined || readExplainable(what) === undefined) return undefined;
      return { kind, what, asOf: end };
    }
    default:
      return undefined;
  }
}

function readReport(name: string, texts: Texts): Wanted<BookkeeperTask> | undefined {
  const choice = REPORTS.find((report) => report.name === name);
  const question = choice && readQuestion(choice, texts);
  if (question === undefined || 'violations' in question) return undefined;
  // A table is for terminals.
  return question.format === 'table' ? undefined : { kind: 'report', question };
}
