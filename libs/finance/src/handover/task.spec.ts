import { expect, it } from 'vitest';
import type { ReportQuestion } from '../report/question.js';
import { type BookkeeperTask, printTask, readTask } from './task.js';

const app = 'app_1';
const period = '2026-01';
const question: ReportQuestion = {
  ...{ report: 'tax', period, effectiveUntil: '2026-01-31', format: 'csv', asOf: 'now' },
  accounts: 'account,number,hledger,ledger,beancount\nassets:bank,1200,,,\n',
};
const TASKS: readonly BookkeeperTask[] = [
  { app, kind: 'report', question },
  { app, kind: 'report', question: { ...question, asOf: { closed: period } } },
  { app, kind: 'count', period },
  { app, kind: 'restate', period },
  { app, kind: 'verify', wanted: 'all' },
  { app, kind: 'verify', wanted: { period } },
  { app, kind: 'explain', what: 'income:items 2026-01', asOf: 'last' },
  { app, kind: 'explain', what: 'pay_1', asOf: 17 },
];

it.each(TASKS)('a task is read as it was printed: $kind', (task) => {
  expect(readTask(printTask(task))).toEqual(task);
});

it.each([
  ['no app', '/count?period=2026-01'],
  ['no task', '/close?app=app_1&period=2026-01'],
  ['no report', '/report/profit?app=app_1&period=2026-01'],
  ['a table', '/report/tax?app=app_1&period=2026-01&format=table'],
  ['no month', '/count?app=app_1&period=2026-13'],
  ['no close', '/verify?app=app_1&period=last'],
  ['nothing to explain', '/explain?app=app_1&what=x'],
  ['no end', '/explain?app=app_1&what=pay_1&asOf=yesterday'],
])('a path with %s is none', (_, path) => {
  expect(readTask(path)).toBeUndefined();
});
