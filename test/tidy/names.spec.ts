import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAll, listed, type Place, readSources } from './sources.js';

const sources = readSources().filter(({ file }) => /\.tsx?$/.test(file));
const products = sources.filter(({ file }) => /^(?:apps|libs|projections)\//.test(file));
/** Everything else is a verb, a noun or a property. */
const LOOK_UPS = ['categoryOf', 'causationOf', 'decimalsOf', 'idOf'];
const LOOK_UP = /\b(?:function|const) (?:async )?[a-z]\w*Of\b(?= ?[(<=])/g;
/** Not a name that is given on as it came: `export type CommandContext = Context`. */
const EXPORTED_TYPE = /^export (?:abstract )?(?:class|interface|type|enum) (\w+)\b(?! = \w+;)/gm;

describe('names', () => {
  it('of functions end in "Of" for a few plain look-ups only', () => {
    const isNew = ({ found }: Place) => !LOOK_UPS.some((name) => found.endsWith(` ${name}`));
    expect(listed(findAll(sources, LOOK_UP).filter(isNew))).toEqual([]);
  });

  it('of types mean one thing in apps, libs and projections', () => {
    const files = new Map<string, Set<string>>();
    for (const { file, text } of products) {
      for (const [, name = ''] of text.matchAll(EXPORTED_TYPE)) {
        files.set(name, (files.get(name) ?? new Set()).add(file));
      }
    }
    for (const [name, where] of files) files.set(name, withoutUseCases(where));
    const twice = [...files].filter(([, { size }]) => size > 1);
    const found = twice.map(([name, where]) => `${name}: ${[...where].join(', ')}`);
    expect(found).toEqual([]);
  });

  it('of files say what kind of message they mean', () => {
    const files = products.filter(({ file }) => path.basename(file) === 'message.ts');
    expect(files.length > 1 ? files.map(({ file }) => file) : []).toEqual([]);
  });
});

/**
 * A use case bears the name of the domain's command, in the API and on the command line: that is one
 * meaning, said at three places.
 */
function withoutUseCases(files: ReadonlySet<string>): Set<string> {
  const isOfDomain = [...files].some((file) => file.startsWith('libs/domain/'));
  const isUseCase = (file: string) =>
    file.startsWith('apps/cli/') || (isOfDomain && file.startsWith('apps/'));
  return new Set([...files].filter((file) => !isUseCase(file)));
}

describe('the domain', () => {
  it('lists what a context gives to others', () => {
    const domain = sources.filter(({ file }) => file.startsWith('libs/domain/'));
    const found = listed(findAll(domain, /^export \*/gm));
    expect(found).toEqual([]);
  });
});

it('documents and the dashboard name metrics that programs have', () => {
  const isDocument = ({ file }: { readonly file: string }) => file.startsWith('docs/');
  const named = /\bsubledger_[a-z_]+(?<!_)\b/g;
  const all = readSources();
  const code = all.filter(({ file }) => /^(?:apps|libs)\//.test(file));
  const known = new Set(findAll(code, named).map(({ found }) => found));
  const isKnown = (name: string) => known.has(name.replace(/_(?:bucket|sum|count)$/, ''));
  const unknown = findAll(all.filter(isDocument), named).filter(({ found }) => !isKnown(found));
  expect(listed(unknown)).toEqual([]);
});
