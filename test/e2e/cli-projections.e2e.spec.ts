import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, it } from 'vitest';
import { projections } from '#projections';
import { startSubledger, subledger } from '../cli/subledger.js';
import { eventually } from '../support/eventually.js';
import { useOwnLedger } from '../support/fixture.js';
import { buy } from '../support/scenario.js';

/** Its read models are changed: it is no other file's. */
const ledger = useOwnLedger();
let subscriptionId = '';

const run = (...args: string[]) =>
  subledger(['projections', ...args, '--data-dir', ledger.standalone.dataDir], {});
const because = ['--reason', 'the index lost entries'] as const;

/** The objects that a command printed. */
async function runJson<Answer>(...args: string[]): Promise<Answer[]> {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}

interface Shown {
  readonly readModel: string;
  readonly projection: string;
  readonly isFed: boolean;
  readonly generations: readonly {
    readonly generation: number;
    readonly state: string;
    readonly formerUntil: string | null;
    readonly oldestUnappliedSeconds: number | null;
  }[];
}

async function showStates(name: string): Promise<string> {
  const [{ readModels } = { readModels: [] }] = await runJson<{ readModels: Shown[] }>('list');
  const { generations = [] } = readModels.find(({ projection }) => projection === name) ?? {};
  return generations.map(({ generation, state }) => `${generation} ${state}`).join(', ');
}

async function becomes(name: string, states: string): Promise<void> {
  const limits = { what: states, limitMs: 30_000 };
  await eventually(async () => (await showStates(name)) === states, limits);
}

async function expectRefused(args: readonly string[], sentence: string, code = 1): Promise<void> {
  const refused = await run(...args);
  expect(refused).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
  expect(refused.stdout).not.toContain('is built');
}

/** Runs with a document in the standalone's Redis that was altered by hand. */
async function withAltered(work: () => Promise<void>): Promise<void> {
  const file = path.join(ledger.standalone.dataDir, 'redis', 'connection-string');
  const redis = new Redis(readFileSync(file, 'utf8').trim());
  try {
    const keys = await redis.keys('*:subscriptions.*:d');
    const found = await Promise.all(keys.map((key) => redis.hget(key, subscriptionId)));
    const at = found.findIndex((text) => text !== null);
    const [key = '', stored = ''] = [keys[at], found[at] ?? undefined];
    await redis.hset(key, subscriptionId, stored.replace('"999"', '"998"'));
    await work();
    await redis.hset(key, subscriptionId, stored);
  } finally {
    redis.disconnect();
  }
}

beforeAll(async () => {
  ({ subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: 'shown' }));
});

describe('subledger projections', () => {
  it('lists every read model with its generations, for people and for programs', async () => {
    await becomes('subscriptions', '1 answering');
    const { code, stdout, stderr } = await run('list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^READ MODEL +GENERATION +STATE +PARTITIONS +OLDEST UNAPPLIED /);
    expect(stdout).toMatch(
      /\nsubscriptions\.\d+\.[0-9a-f]{6} +1 +answering +\d+ +\S.* +0 +1 +\S+ k?B/,
    );
    expect(stdout).toMatch(/\nThe newest event of the store is .* old\./);
    const [{ readModels, ...report } = { readModels: [] }] = await runJson<{ readModels: Shown[] }>(
      'list',
    );
    expect(readModels.map(({ projection }) => projection)).toEqual(
      projections.map(({ name }) => name),
    );
    expect(readModels.every(({ isFed }) => isFed)).toBe(true);
    expect(report).toMatchObject({ head: expect.any(String), headAgeSeconds: expect.any(Number) });
  });

  it('rebuilds one beside the one that answers, and swaps it in by itself', async () => {
    const { code, stdout } = await run('rebuild', 'plans', ...because);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Redis uses .* MB.*; the rebuild takes about \S+ k?B more/);
    expect(stdout).toContain('generation 2 is built; the gate looks at it');
    await becomes('plans', '1 former, 2 answering');
    const show = await run('show', 'plans');
    expect(show.stdout).toMatch(/ 1 +former .* \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S*Z\n/);
  });

  it('holds one behind the gate for its swap, leads back, and drops it', async () => {
    const [memory, begun] = await runJson('rebuild', 'subscriptions', '--hold', ...because);
    expect(memory).toMatchObject({
      memory: { usedBytes: expect.any(Number), furtherBytes: expect.any(Number) },
    });
    expect(begun).toMatchObject({ act: 'rebuild', generation: 2, hold: true });
    await becomes('subscriptions', '1 answering, 2 verified');
    await expectRefused(['rebuild', 'subscriptions', ...because], 'is built already');
    // Both generations are verified.
    const verified = await runJson('verify', 'subscriptions', '--full');
    expect(verified).toMatchObject([
      { generation: 1, state: 'answering', checked: 1, total: 0, uncompared: 0, parked: 0 },
      { generation: 2, state: 'verified', checked: 1, total: 0 },
    ]);
    const swapped = await run('swap', 'subscriptions', ...because);
    expect(swapped).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /: generation 2 answers within moments\. Generation 1 is kept and fed until \d{4}-/,
      ),
    });
    await becomes('subscriptions', '1 former, 2 answering');
    const [back] = await runJson('rollback', 'subscriptions', ...because);
    expect(back).toMatchObject({ isChanged: true, generations: { answering: 1 } });
    await becomes('subscriptions', '1 answering, 2 former');
    await expectRefused(['drop', 'subscriptions', '1', ...because], 'answers, and cannot be');
    expect(await run('drop', 'subscriptions', '2', ...because)).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining('generation 2 is dropped.') },
    });
    await becomes('subscriptions', '1 answering');
    await expectRefused(['rollback', 'subscriptions', ...because], 'No former generation');
  });

  it('pauses a slow build, lets it go on, and shows how far it is', async () => {
    const slow = ['--max-per-second', '1', ...because];
    await run('rebuild', 'due-dates', ...slow);
    expect((await run('pause', 'due-dates', ...because)).stdout).toContain('the build is paused.');
    await expectRefused(['swap', 'due-dates', ...because], 'The generation is not verified.');
    const again = await runJson('pause', 'due-dates', ...because);
    expect(again).toMatchObject([{ act: 'pause', isChanged: false }]);
    const [paused] = await runJson('show', 'due-dates');
    expect(paused).toMatchObject({
      ...{ projection: 'due-dates', isOver: false },
      generations: [{ state: 'answering' }, { state: 'building', isPaused: true }],
    });
    await run('resume', 'due-dates', ...because);
    const moments = await runJson<{ isOver: boolean }>('show', 'due-dates', '--watch');
    expect(moments.at(-1)).toMatchObject({ isOver: true, projection: 'due-dates' });
    await expectRefused(['pause', 'due-dates', ...because], 'No generation of this read model');
  });

  it('names the field of a document that was altered by hand, with both versions', async () => {
    await withAltered(async () => {
      for (const way of [[], ['--sample', '5'], ['--full']]) {
        const { code, stdout, stderr } = await run('verify', 'subscriptions', ...way);
        expect(code).toBe(1);
        expect(stdout).toContain(
          `document of ${subscriptionId}: price.amountMinor is "998", by the events "999".\n`,
        );
        expect(stdout).toMatch(/generation 1 \(answering\): 1 documents compared; 1 difference/);
        expect(stderr).toContain('is not as the domain has it: 1 differences.');
      }
      const { code, stdout } = await startSubledger(
        ['projections', 'verify', 'subscriptions', '--json'],
        { DATA_DIR: ledger.standalone.dataDir },
      );
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        ...{ generation: 1, total: 1 },
        differences: [{ field: 'price.amountMinor', found: '"998"', expected: '"999"' }],
      });
    });
    expect((await run('verify', 'subscriptions')).code).toBe(0);
  });

  it('refuses with a sentence', async () => {
    const names = projections.map(({ name }) => name).join(', ');
    await expectRefused(['show', 'invoices'], `no read model "invoices". There are: ${names}.`);
    await expectRefused(['rebuild', 'invoices', ...because], `There are: ${names}.`);
    await expectRefused(['rebuild', 'plans'], "required option '--reason <text>'", 2);
    await expectRefused(['rebuild', 'plans', '--reason', ' '], '--reason must be a text', 2);
    await expectRefused(['rebuild', ...because], 'Name one read model, or say --all.', 2);
    await expectRefused(['rebuild', 'plans', '--all', ...because], 'or say --all.', 2);
    await expectRefused(['verify', 'plans', '--full', '--sample', '5'], 'do not go together', 2);
    await expectRefused(['drop', 'plans', 'all', ...because], 'must be a whole number', 2);
    await expectRefused(['drop', 'plans', '9', ...because], 'no such generation');
    await expectRefused(['verify', 'plans', '--generation', '9'], 'Generation 9 of it has');
  });

  it('rebuilds all, but for one that is built already', async () => {
    await run('rebuild', 'apps', '--hold', ...because);
    const { code, stdout, stderr } = await run('rebuild', '--all', ...because);
    expect(code).toBe(1);
    expect(stdout.match(/ is built; the gate looks at it/g)).toHaveLength(projections.length - 1);
    expect(stderr).toMatch(/Not every read model is rebuilt\.\n +apps\.\S+: A generation of this/);
    await becomes('subscriptions', '1 former, 3 answering');
  });
});
