import { describe, expect, it } from 'vitest';
import { CliError } from '../cli-error.js';
import { readPolicy } from './policy-file.js';

/** The lines that a file is refused with. */
function refusedLines(value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  try {
    readPolicy(text, 'policy.json');
  } catch (error) {
    if (error instanceof CliError) return [error.message, ...error.details];
    throw error;
  }
  return [];
}

describe('the file of a policy', () => {
  it('has a zone, classes of items and whether two people close', () => {
    const sword = { name: 'swords', match: { prefix: 'sword-' } };
    const gem = { name: 'gems', match: { metadata: { key: 'kind', value: 'gem' } } };
    const itemClasses = [
      { ...sword, lifeDays: 761 },
      { ...gem, atOnce: true },
    ];
    const text = JSON.stringify({ zone: 'Europe/Berlin', approval: true, itemClasses });
    expect(readPolicy(text, 'policy.json')).toEqual({
      ...{ zone: 'Europe/Berlin', approval: true },
      itemClasses: [
        { ...sword, lifeDays: 761 },
        { ...gem, lifeDays: null },
      ],
    });
    const none = { zone: 'UTC', approval: false, itemClasses: [] };
    expect(readPolicy('{}', 'policy.json')).toEqual(none);
  });

  it.each(['', '[]', '"UTC"', '{"zone":'])('is refused as %j', (text) => {
    expect(refusedLines(text)).toEqual(['policy.json does not hold a JSON object.']);
  });

  it('is refused with every field that is wrong', () => {
    const match = { id: 'a' };
    const itemClasses = [
      { name: 'a', match, lifeDays: 3, atOnce: true },
      { name: 1, match: { id: 'a', prefix: 'b' }, atOnce: true, life: 3 },
      'swords',
    ];
    const lines = refusedLines({ zone: 1, approval: 'yes', itemClasses, timezone: 'UTC' });
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      ...['policy.json is no policy.', 'timezone', 'zone', 'approval', 'itemClasses[0]'],
      ...['itemClasses[1].life', 'itemClasses[1].name', 'itemClasses[1].match'],
      ...['itemClasses[2]', 'itemClasses[2]', 'itemClasses[2].match'],
    ]);
  });
});
