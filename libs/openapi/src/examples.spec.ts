import { describe, expect, it } from 'vitest';
import { withExamples } from './examples.js';

const CONTENTS = { 'application/json': {}, 'text/csv': {}, 'application/vnd.apache.parquet': {} };

function exemplify(answer: unknown) {
  const responses = { 200: { description: 'The report.', content: CONTENTS } };
  const operation = { operationId: 'finance_report', responses };
  const found = withExamples(operation, { finance_report: { status: 200, answer } });
  return found.responses['200'];
}

describe('examples of an answer with several contents', () => {
  it('have an object as JSON alone', () => {
    const content = { ...CONTENTS, 'application/json': { example: { rows: 1 } } };
    expect(exemplify({ rows: 1 })).toEqual({ description: 'The report.', content });
  });

  it('have a text as anything but JSON', () => {
    const example = 'entry,leaf';
    const content = {
      ...{ 'application/json': {}, 'text/csv': { example } },
      'application/vnd.apache.parquet': { example },
    };
    expect(exemplify(example)).toEqual({ description: 'The report.', content });
  });
});
