import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(path.join(tmpdir(), 'subledger-references-'));

/** A small repository: rules with two sections, one record, and a source to be judged. */
beforeAll(() => {
  spawnSync('git', ['init', '-q'], { cwd: folder });
  write('docs/rules/lifecycle.md', '# Lifecycle\n\n## 1. Statuses\n\n## 2. Dates\n');
  write('docs/decisions/0003-plan-codes.md', '# 0003 Plan codes\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

/** The check's findings in a file with this text. */
function findings(file: string, text: string): string {
  write(file, text);
  const tool = ['tools/check-references.mjs', folder];
  const { status, stderr } = spawnSync(process.execPath, tool, { encoding: 'utf8' });
  write(file, '');
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr.trim();
}

const inSource = (text: string) => findings('libs/source.ts', text);
const inDocument = (text: string) => findings('docs/document.md', text);

// The samples of bad references are put together, so that this file passes the check itself.
const [outside, record, fields, house] = ['decisions', 'decision', 'interface', 'architecture'];
const [rules, protocol] = ['rules/', 'protocol'];

describe('the check of references', () => {
  it.each([
    ['a section of the rules', '/** Due (rules/lifecycle 2). */'],
    ['several sections', '/** rules/lifecycle 1 to 2, or rules/lifecycle 1 and 2 */'],
    ['a record', '/** Taken over (decision 0003). */'],
    ['a record by its file', '// docs/decisions/0003-plan-codes.md'],
    ['a reference that a line of comment ends in', '/**\n * Due (rules/lifecycle\n * 2).\n */'],
    ['words and code that only look like one', 'interface Decision2 { decisions: 3 }'],
  ])('lets %s pass', (_what, text) => {
    expect(inSource(text)).toBe('');
  });

  it.each([
    [`/** Due (${outside} 6). */`, `"${outside} 6" is in no text of this repository`],
    [`/** Due (${record} 41). */`, `"${record} 41" is in no text of this repository`],
    [`/**\n * Due (${outside}\n * 6). */`, `libs/source.ts:2: "${outside} 6"`],
    [`/** A plan (${fields} 2.3). */`, `"${fields} 2.3" is in no text`],
    [`/** (${house}, rule 3) */`, `"${house}, rule 3" is in no text`],
    [`/** (${house}, "Errors") */`, 'is in no text of this repository'],
    [`/** Refused (${protocol} 1.4). */`, 'is in no text of this repository'],
    [`/** Due (${rules}lifecycle 7). */`, 'docs/rules/lifecycle.md has no section 7.'],
    [`/** Due (${rules}lifecycle 1 to 4). */`, 'docs/rules/lifecycle.md has no section 3, 4.'],
    [`/** Due (${rules}dunning 1). */`, `There is no docs/${rules}dunning.md.`],
    [`/** Taken over (${record} 0004). */`, 'There is no decision 0004 in docs/decisions.'],
    [`// docs/${outside}/0004-plans.md`, 'There is no decision 0004 in docs/decisions.'],
  ])('refuses %j', (text, message) => {
    expect(inSource(text)).toContain(message);
  });

  it('finds a number that two records have', () => {
    const file = 'docs/decisions/0003-another.md';
    expect(findings(file, '# 0003 Another\n')).toContain(`${file} has the number 0003, too.`);
    rmSync(path.join(folder, file));
  });

  it('says what to write in place of a reference to a text outside', () => {
    expect(inSource(`// ${outside} 6`)).toMatch(
      /libs\/source\.ts:1: .* Write `rules\/<file> <number>` .* or `decision <4 digits>`/,
    );
  });

  it.each([
    ['[dates](rules/lifecycle.md#2-dates)', ''],
    ['[here](#here)\n\n# Here', ''],
    ['[a site](https://example.com/missing)', ''],
    ['[gone](gone.md)', 'The link leads to docs/gone.md, which is not there.'],
    ['[gone](rules/lifecycle.md#3-trials)', 'docs/rules/lifecycle.md has no heading #3-trials.'],
    ['`libs/gone.ts` decides', 'libs/gone.ts is not there.'],
  ])('judges the links and files of a document: %j', (text, message) => {
    const said = inDocument(text);
    if (message === '') expect(said).toBe('');
    else expect(said).toContain(message);
  });
});
