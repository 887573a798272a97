import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, operatorClient } from '../support/api-client.js';
import { startSubledger, subledger } from '../cli/subledger.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { sheet } from '../support/prices.js';
import { type Demo, temporaryDataDir } from '../support/standalone.js';

const ledger = useLedger();
const files = temporaryDataDir();
/** The standalone's own demo app, which a person finds by its data directory; no other file uses it. */
let demo: Demo;
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const VERSION_LINE = `subledger ${version}\n`;
const FIRST = sheet('gems,US,USD,9.99', 'gems,DE,EUR,9.49', 'old,US,USD,1.00');
const SECOND = sheet('gems,US,USD,9.99', 'gems,DE,EUR,9.89', 'new,US,USD,1.00');

/** As a person types it on the machine of the standalone. */
const run = (...args: string[]) => subledger(args, { DATA_DIR: ledger.standalone.dataDir });
/** The same as a process of its own. */
const start = (...args: string[]) => startSubledger(args, { DATA_DIR: ledger.standalone.dataDir });

beforeAll(() => {
  const text = readFileSync(path.join(ledger.standalone.dataDir, 'demo.json'), 'utf8');
  demo = JSON.parse(text) as Demo;
});

afterAll(() => files.remove());

function fileWith(name: string, text: string): string {
  const file = path.join(files.dataDir, name);
  writeFileSync(file, text);
  return file;
}

describe('subledger price-sheets', () => {
  it('uploads, lists, shows and activates', async () => {
    expect(await run('price-sheets', 'list')).toMatchObject({
      code: 0,
      stdout: 'No price sheet was uploaded yet.\n',
    });
    const uploaded = await run('price-sheets', 'upload', fileWith('first.csv', FIRST));
    expect(uploaded).toEqual({
      code: 0,
      stdout: 'Version 1 is in force: 3 rows, 2 priceIds.\n',
      stderr: '',
    });
    const again = await run('price-sheets', 'upload', fileWith('second.csv', SECOND), '--json');
    expect(JSON.parse(again.stdout)).toEqual({ version: 2, rowCount: 3, priceIdCount: 2 });
    expect((await run('price-sheets', 'activate', 'v1')).stdout).toBe('Version 1 is in force.\n');
    const listed = await run('price-sheets', 'list');
    expect(listed.stdout).toMatch(/^ +version +rows.*\n +2 +3 .*\n\* +1 +3 +20.*operator:demo/);
    const shown = await run('price-sheets', 'show', '2');
    expect(shown.stdout.split('\n')[1]).toBe('gems,DE,EUR,9.89');
    const current = JSON.parse((await run('price-sheets', 'show', '--json')).stdout) as object;
    expect(current).toMatchObject({ version: 1 });
  });

  it('shows in a dry run every final price that would change, with and without rounding', async () => {
    const rates = [{ country: 'DE', rate: '0.19', inclusive: true }];
    const set = await run(
      'tax-rates',
      'set',
      fileWith('rates.json', `\uFEFF${JSON.stringify(rates)}`),
    );
    expect(set.stdout).toBe('Version 1 is in force.\n');
    await run('price-sheets', 'upload', fileWith('first.csv', FIRST));
    const csv = path.join(files.dataDir, 'changes.csv');
    const file = fileWith('second.csv', SECOND);
    const dryRun = await run('price-sheets', 'dry-run', file, '--csv', csv);
    expect(dryRun.stdout).toBe(
      [
        'rounding none: 3 final prices would change',
        'country  priceId  old        new',
        'DE       gems     EUR 11.29  EUR 11.77',
        'US       new      -          USD 1.00',
        'US       old      USD 1.00   -',
        '',
        'rounding hg: 3 final prices would change',
        'country  priceId  old        new',
        'DE       gems     EUR 10.99  EUR 11.99',
        'US       new      -          USD 0.99',
        'US       old      USD 0.99   -',
        '',
      ].join('\n'),
    );
    expect(readFileSync(csv, 'utf8')).toBe(
      [
        'rounding,country,priceId,oldCurrency,oldAmount,newCurrency,newAmount',
        'none,DE,gems,EUR,11.29,EUR,11.77',
        'none,US,new,,,USD,1.00',
        'none,US,old,USD,1.00,,',
        'hg,DE,gems,EUR,10.99,EUR,11.99',
        'hg,US,new,,,USD,0.99',
        'hg,US,old,USD,0.99,,',
        '',
      ].join('\n'),
    );
    expect((await run('price-sheets', 'show')).stdout).toContain('9.49');
  });

  it('names every bad row, and ends with 1', async () => {
    const file = fileWith('bad.csv', sheet('gems,DE,EUR,9.495', 'x,US,USD,-1'));
    const refused = await run('price-sheets', 'upload', file);
    expect(refused.code).toBe(1);
    expect(refused.stderr.split('\n')).toMatchObject([
      'subledger: The price sheet has 2 bad rows; nothing of it was taken.',
      expect.stringMatching(/^ {2}line 2: amount: .*more than the 2 decimals/),
      expect.stringMatching(/^ {2}line 3: amount: .*negative/),
      '',
    ]);
    expect(await run('price-sheets', 'dry-run', file)).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('subledger', () => {
  it('explains itself, and what was typed wrongly with an exit code of 2', async () => {
    const help = await start('price-sheets', 'upload', '--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('Usage: subledger price-sheets upload [options] <file>');
    expect(help.stdout).toContain('Exit codes: 0 done, 1 refused, 2 not understood');
    expect(await start('--version')).toEqual({ code: 0, stdout: VERSION_LINE, stderr: '' });
    const wrongLines = [
      ['frobnicate'],
      ['price-sheets'],
      ['price-sheets', 'upload'],
      ['price-sheets', 'activate', 'x'],
      ['price-sheets', 'upload', '/nowhere/sheet.csv'],
      ['streams', 'read', 'app-x', '--data-dir', '/nowhere'],
      ['players', 'erase', '--app', 'app_1', '--account', 'x', '--wait', '5'],
      ['operator-token', 'issue', '--name', 'x', '--role', 'king', '--apps', '*'],
      'operator-token issue --name x --role admin --apps * --hours 721'.split(' '),
    ];
    const results = await Promise.all([
      ...wrongLines.map((line) => run(...line)),
      start(...(wrongLines[0] ?? [])),
    ]);
    for (const [index, { code, stdout, stderr }] of results.entries()) {
      const wrong = wrongLines[index % wrongLines.length];
      const found = { wrong, code, stdout, speaks: stderr !== '' };
      expect(found).toEqual({ wrong, code: 2, stdout: '', speaks: true });
      expect(stderr).not.toContain('    at ');
    }
  });

  it('says with --json in one object what is wrong', async () => {
    const away = ['--url', 'http://127.0.0.1:9', '--token', 'x', '--app', 'app_1'];
    const bad = fileWith('bad.csv', sheet('gems,DE,EUR,9.495'));
    for (const [args, kind, exitCode] of [
      [['price-sheets', 'frobnicate'], 'usage', 2],
      [['price-sheets', 'list', '--colour'], 'usage', 2],
      [['price-sheets', 'upload', bad], 'refused', 1],
      [['price-sheets', 'list', ...away], 'unreachable', 3],
    ] as const) {
      const call = kind === 'unreachable' ? start : run;
      const { code, stdout, stderr } = await call(...args, '--json');
      expect({ args, code, stdout }).toEqual({ args, code: exitCode, stdout: '' });
      expect(parseError(stderr)).toMatchObject({ kind, exitCode, message: expect.any(String) });
    }
    const refused = await run('price-sheets', 'upload', bad, '--json');
    expect(parseError(refused.stderr)).toMatchObject({
      reason: 'INVALID_PRICE_SHEET',
      details: [expect.stringMatching(/^line 2: amount/)],
    });
  });

  it('says in one sentence that no service answers', async () => {
    const away = ['--url', 'http://127.0.0.1:9', '--token', 'x', '--app', 'app_1'];
    const { code, stderr } = await run('price-sheets', 'list', ...away);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^subledger: http:\/\/127.0.0.1:9 cannot be reached: .*\n$/);
    expect((await subledger(['tax-rates', 'show'], { DATA_DIR: '/nowhere' })).code).toBe(2);
  });

  it('issues operator tokens that may do what they say, and revokes them', async () => {
    const args = ['--name', 'finance', '--role', 'viewer', '--apps', demo.appId];
    const issued = await run('operator-token', 'issue', ...args, '--json');
    const { id, token } = JSON.parse(issued.stdout) as { id: string; token: string };
    const file = fileWith('first.csv', FIRST);
    expect((await run('price-sheets', 'list', '--token', token)).code).toBe(0);
    const refused = await run('price-sheets', 'upload', file, '--token', token);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('viewer');
    const listed = await run('operator-token', 'list', '--app', demo.appId);
    expect(listed.stdout).toMatch(new RegExp(`${id} +finance +viewer +${demo.appId}`));

    const wrongly = await run('operator-token', 'revoke', id);
    expect(wrongly).toMatchObject({ code: 1, stdout: '' });
    const revoked = await run('operator-token', 'revoke', id, '--app', demo.appId);
    expect(revoked).toEqual({ code: 0, stdout: `${id} is revoked.\n`, stderr: '' });
    const viewer = bearer(ledger.standalone.baseUrl, token);
    const status = async () => (await viewer.get(`/manage/apps/${demo.appId}`)).status;
    await eventually(async () => (await status()) === 401, { what: 'the end of a revoked token' });
    const away = ['--role', 'viewer', '--apps', 'app_nowhere'];
    const missing = await run('operator-token', 'issue', '--name', 'x', ...away);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
  });

  it('issues tokens for all apps, on stdout alone, with how to revoke them beside', async () => {
    const args = ['--name', 'root', '--role', 'admin', '--apps', '*', '--hours', '1'];
    const issued = await run('operator-token', 'issue', ...args);
    const token = issued.stdout.trim();
    const [, id = ''] = /revoke (opt_\w+)\n/.exec(issued.stderr) ?? [];
    const root = bearer(ledger.standalone.baseUrl, token);
    expect((await root.get('/manage/apps')).status).toBe(200);
    expect((await run('operator-token', 'revoke', id)).code).toBe(0);
    const status = async () => (await root.get('/manage/apps')).status;
    await eventually(async () => (await status()) === 401, { what: 'the end of a revoked token' });
  });

  it('reads streams as they are stored, finding the store by its data directory', async () => {
    const { dataDir } = ledger.standalone;
    const stream = `price_sheet-${demo.appId}`;
    const there = ['--data-dir', dataDir];
    const read = await subledger(['streams', 'read', stream, '--json', ...there], {});
    const events = read.stdout.trim().split('\n').map(parseEvent);
    expect(events.slice(0, 2)).toMatchObject([
      { revision: 0, type: 'price_sheet.uploaded.v1', metadata: { actor: 'operator:demo' } },
      { revision: 1, type: 'price_sheet.activated.v1' },
    ]);
    const missing = await run('streams', 'read', 'sub_01');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('Did you mean subscription-sub_01?');
    const unreachable = { EVENTSTOREDB_URL: 'esdb://127.0.0.1:9?tls=false' };
    const away = await subledger(['streams', 'read', stream, '--json'], unreachable);
    expect(away).toMatchObject({ code: 3, stdout: '' });
    expect(parseError(away.stderr)).toMatchObject({ kind: 'unreachable' });
  });

  it('scavenges the event store, and tells how it ended', async () => {
    const started = await run('store', 'scavenge', '--json');
    expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining('"scavengeId"') });
    const status = async () => (await run('store', 'scavenge', '--status')).stdout;
    await eventually(async () => (await status()).includes('Success'), { what: 'its end' });
  });

  it('ends quietly when its output is no longer read', async () => {
    for (const segmentId of ['a', 'b', 'c', 'd']) {
      await operatorClient(demo).post(`/manage/apps/${demo.appId}/segments`, {
        ...{ segmentId, name: segmentId },
      });
    }
    const line = `node dist/programs/subledger.js streams read app-${demo.appId} | true`;
    const env = { ...process.env, DATA_DIR: ledger.standalone.dataDir };
    const child = spawn('bash', ['-c', `${line}; echo "\${PIPESTATUS[0]}" >&2`], { env });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await new Promise((resolve) => child.once('close', resolve));
    expect(stderr).toBe('0\n');
  });
});

function parseEvent(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}

function parseError(stderr: string): unknown {
  return (JSON.parse(stderr) as { error: unknown }).error;
}
