import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

/** How the table names what the document calls by one word each. */
const CREDENTIALS: readonly [scheme: string, name: string][] = [
  ['player', 'player'],
  ['signature', 'signature'],
  ['apiKey', 'API key'],
];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

describe('the table of who may call what (rules/api 10)', () => {
  it('has each operation of players and backends, with the credentials that it takes', () => {
    expect(readTable()).toEqual(readDocument());
  });
});

/** Operators' operations, which have one row for all. */
const OF_OPERATORS = /^\/(manage|seal)\//;

/** Of the released operations of the others. */
function readDocument(): Map<string, string> {
  const text = readFileSync('docs/openapi/openapi.json', 'utf8');
  // Our own program has written it.
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> };
  const found = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => operations[method] && !OF_OPERATORS.test(path)).map(
      (method) => [`${method.toUpperCase()} ${path}`, nameAll(operations[method])] as const,
    ),
  );
  return new Map(found.sort());
}

function nameAll(operation: Operation | undefined): string {
  const schemes = (operation?.security ?? []).flatMap((one) => Object.keys(one));
  const names = CREDENTIALS.filter(([scheme]) => schemes.includes(scheme));
  return names.map(([, name]) => name).join(', ');
}

/** Without what the table says of them in brackets. */
function readTable(): Map<string, string> {
  const [, section = ''] = readFileSync('docs/rules/api.md', 'utf8').split('## 10. ');
  const [table = ''] = section.split('\n## ');
  const rows: [string, string][] = [];
  for (const [, operations = '', who = ''] of table.matchAll(/^\| (`.+?) +\| (.+?) +\|$/gm)) {
    const before = rows.at(-1)?.[1] ?? '';
    const named = who === 'the same' ? before : who.replaceAll(/ \([^)]*\)/g, '');
    for (const [, name = ''] of operations.matchAll(/`([A-Z]+ \/[^`]*)`/g))
      rows.push([name, named]);
  }
  return new Map(rows.sort());
}
