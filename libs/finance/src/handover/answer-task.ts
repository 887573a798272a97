import { assertDefect } from '#platform';
import { countClose } from '../close/count-close.js';
import { restateClose, toJsonRestatement } from '../close/restate-close.js';
import { verifyCloses } from '../close/verify-closes.js';
import { explain, toJsonExplanation } from '../explain/explain.js';
import { readExplainable } from '../explain/question.js';
import type { ReportSources } from '../report/open-report.js';
import type { BookkeeperTask } from './task.js';

/** The answer to a task that is no report, as JSON has it. @throws FinanceRefusal; Fault. */
export async function answerTask(
  sources: ReportSources,
  task: Exclude<BookkeeperTask, { kind: 'report' }>,
): Promise<object> {
  const { app, withBooks } = sources;
  switch (task.kind) {
    case 'count':
      return countClose(sources, task.period);
    case 'restate':
      return toJsonRestatement(await restateClose(app, task.period, withBooks));
    case 'verify':
      return { closes: await verifyCloses(app, task.wanted, withBooks) };
    case 'explain': {
      const wanted = readExplainable(task.what);
      assertDefect(wanted !== undefined, `${task.what} was taken as a task, and is no question`);
      return toJsonExplanation(await explain(sources, wanted, task.asOf));
    }
  }
}
