import { describe, expect, it } from 'vitest';
import { ESLint, Linter } from 'eslint';

/** Files that the rules hold for, and others. */
const PURE = [
  'libs/domain/src/money/index.ts',
  'libs/webhooks/src/catalogue.ts',
  'libs/seal/src/keys.ts',
  'projections/plans.projection.ts',
];
const IMPURE = ['libs/domain/src/money/money.spec.ts', 'libs/platform/src/clock.ts'];

const eslint = new ESLint();
const known = new Map<string, Promise<Linter.RulesRecord>>();

/** The project's own configuration of a file, without the rules that need its types. */
function rulesFor(file: string): Promise<Linter.RulesRecord> {
  const rules = known.get(file) ?? readRules(file);
  known.set(file, rules);
  return rules;
}

async function readRules(file: string): Promise<Linter.RulesRecord> {
  // The shape is that of an ESLint configuration.
  const config = (await eslint.calculateConfigForFile(file)) as Linter.Config;
  const rules: Linter.RulesRecord = {};
  for (const [name, rule] of Object.entries(config.rules ?? {})) {
    if (rule !== undefined && name.startsWith('no-restricted-')) rules[name] = rule;
  }
  return rules;
}

function findings(code: string, rules: Linter.RulesRecord): string[] {
  return new Linter().verify(code, { rules }).map(({ message }) => message);
}

describe('the rules of pure code', () => {
  it.each([
    ['Date.now();', 'no clock'],
    ['const { now } = Date;', 'no clock'],
    ['new Date();', 'no clock'],
    ['Date();', 'no clock'],
    ['DateTime.now();', 'no clock'],
    ['DateTime.utc();', 'no clock'],
    ['DateTime.local();', 'no clock'],
    ['performance.now();', 'no clock'],
    ["import { performance } from 'node:perf_hooks';", 'no clock'],
    ['Math.random();', 'no random'],
    ['crypto.randomUUID();', 'no random'],
    ["import { randomUUID } from 'node:crypto';", 'no random'],
    ["import { randomBytes } from 'crypto';", 'no random'],
    ["import { generateKeyPairSync } from 'node:crypto';", 'no random'],
    ["process.env['HOME'];", 'no environment'],
    ["globalThis.process.env['HOME'];", 'no environment'],
    ["import process from 'node:process';", 'no environment'],
    ["import { hostname } from 'node:os';", 'no environment'],
    ['setTimeout(() => {}, 1);', 'does not wait'],
    ['setInterval(() => {}, 1);', 'does not wait'],
    ['setImmediate(() => {});', 'does not wait'],
    ["import { setTimeout } from 'node:timers/promises';", 'does not wait'],
  ])('refuse %p: %s', async (code, reason) => {
    for (const file of PURE) {
      expect(findings(code, await rulesFor(file))).toContainEqual(expect.stringContaining(reason));
    }
  });

  it('say what to do', async () => {
    const [message] = findings('Date.now();', await rulesFor(PURE[0]!));
    expect(message).toContain('take the time from the command or the event (rules/events 2)');
  });

  it.each([
    "new Date('2026-06-01');",
    'Date.parse(text);',
    'DateTime.utc(2026);',
    "import { createHmac } from 'node:crypto';",
  ])('let %p pass', async (code) => {
    for (const file of PURE) expect(findings(code, await rulesFor(file))).toEqual([]);
  });

  it('hold neither for specs nor for code that does things', async () => {
    for (const file of IMPURE) {
      expect(findings('Date.now(); setTimeout(() => {}, 1);', await rulesFor(file))).toEqual([]);
    }
  });
});
