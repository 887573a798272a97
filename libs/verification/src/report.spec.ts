import { expect, it } from 'vitest';
import { type ReadModelDifference, Findings } from './report.js';

it('a report keeps the first thousand differences, and the number of all', () => {
  const findings = new Findings();
  const difference: ReadModelDifference = {
    ...{ kind: 'document', id: 'sub_1', streamName: 'subscription-sub_1', partition: 0 },
    ...{ revision: 3, field: 'status', expected: '"active"', found: '"expired"' },
  };
  for (let at = 0; at < 1_002; at += 1) findings.add({ ...difference, revision: at });
  const { differences, total } = findings.report();
  expect(total).toBe(1_002);
  expect(differences.map(({ revision }) => revision)).toEqual(
    Array.from({ length: 1_000 }, (_, at) => at),
  );
});
