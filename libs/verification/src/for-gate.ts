import type { CheckedStreams } from '#projection-engine';
import type { ReadModelDifference, VerificationReport } from './report.js';
import { drawIds, verifySample } from './sample.js';

/**
 * The gate's look at a generation (rules/read-models 4): documents that are drawn by chance, half of them from the generation
 * that answers, where there is one, since the other may lack some.
 *
 * @throws Fault as `verifySample` does.
 */
export async function checkForGate(checked: CheckedStreams): Promise<{
  readonly checked: number;
  readonly findings: readonly string[];
}> {
  const { answering, count, redis, ...options } = checked;
  const half = answering === undefined ? count : Math.ceil(count / 2);
  const ids = answering === undefined ? undefined : await drawIds(redis, answering, count - half);
  const report = await verifySample({ ...options, redis, count: half, ids });
  return { checked: report.checked, findings: describe(report) };
}

function describe({ differences, total }: VerificationReport): string[] {
  const shown = differences.map(describeDifference);
  return total > shown.length ? [...shown, `${total} differences in all`] : shown;
}

/** A difference in one sentence. */
export function describeDifference(difference: ReadModelDifference): string {
  const { kind, id, field, found, expected } = difference;
  const of = field === '' ? '' : ` ${field}`;
  return `${kind} of ${id}:${of} is ${found ?? 'missing'}, by the events ${expected ?? 'missing'}`;
}
