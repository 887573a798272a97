import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { subledger } from '../support/cli.js';
import { useLedger } from '../support/fixture.js';
import { sheet } from '../support/prices.js';

const ledger = useLedger();
const FIRST = sheet('gems,US,USD,9.99', 'gems,DE,EUR,9.49', 'old,US,USD,1.00');
const SECOND = sheet('gems,US,USD,9.99', 'gems,DE,EUR,9.89', 'new,US,USD,1.00');

/** As somebody types it on the machine of the standalone. */
const run = (...args: string[]) => subledger(args, { DATA_DIR: ledger.standalone.dataDir });

function fileWith(name: string, text: string): string {
  const file = path.join(ledger.standalone.dataDir, name);
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

  it('rehearses a sheet: every final price that would change, with and without rounding', async () => {
    const rates = [{ country: 'DE', rate: '0.19', inclusive: true }];
    const set = await run('tax-rates', 'set', fileWith('rates.json', JSON.stringify(rates)));
    expect(set.stdout).toBe('Version 1 is in force.\n');
    await run('price-sheets', 'upload', fileWith('first.csv', FIRST));
    const csv = path.join(ledger.standalone.dataDir, 'changes.csv');
    const file = fileWith('second.csv', SECOND);
    const rehearsed = await run('price-sheets', 'rehearse', file, '--csv', csv);
    expect(rehearsed.stdout).toBe(
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
    expect(await run('price-sheets', 'rehearse', file)).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('subledger', () => {
  it('explains itself, and what was typed wrongly with an exit code of 2', async () => {
    const help = await run('price-sheets', 'upload', '--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('Usage: subledger price-sheets upload [options] <file>');
    for (const wrong of [
      ['frobnicate'],
      ['price-sheets'],
      ['price-sheets', 'frobnicate'],
      ['price-sheets', 'upload'],
      ['price-sheets', 'list', '--colour'],
      ['price-sheets', 'activate', 'x'],
      ['price-sheets', 'upload', '/nowhere/sheet.csv'],
      ['operator-token', 'issue', '--name', 'x', '--role', 'king', '--apps', '*'],
    ]) {
      const { code, stdout, stderr } = await run(...wrong);
      expect({ wrong, code, stdout, speaks: stderr !== '' }).toEqual({
        wrong,
        code: 2,
        stdout: '',
        speaks: true,
      });
      expect(stderr).not.toContain('    at ');
    }
  });

  it('says in one sentence that there is nobody', async () => {
    const away = ['--url', 'http://127.0.0.1:9', '--token', 'x', '--app', 'app_1'];
    const { code, stderr } = await run('price-sheets', 'list', ...away);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^subledger: http:\/\/127.0.0.1:9 cannot be reached: .*\n$/);
    expect((await subledger(['tax-rates', 'show'], { DATA_DIR: '/nowhere' })).code).toBe(2);
  });

  it('issues operator tokens that may do what they say, and no more', async () => {
    const key = readFileSync(path.join(ledger.standalone.dataDir, 'master.key'), 'utf8').trim();
    const args = ['--name', 'finance', '--role', 'viewer', '--apps', ledger.appId, '--json'];
    const env = { MASTER_KEY: key };
    const issued = await subledger(['operator-token', 'issue', ...args], env);
    const { token } = JSON.parse(issued.stdout) as { token: string };
    const file = fileWith('first.csv', FIRST);
    expect((await run('price-sheets', 'list', '--token', token)).code).toBe(0);
    const refused = await run('price-sheets', 'upload', file, '--token', token);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('viewer');
    expect((await subledger(['operator-token', 'issue', ...args], {})).code).toBe(1);
  });

  it('reads streams as they are stored', async () => {
    const missing = await run('streams', 'read', 'price_sheet-x');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('EVENTSTOREDB_URL is missing');
    const file = path.join(ledger.standalone.dataDir, 'event-store', 'connection-string');
    const url = { EVENTSTOREDB_URL: readFileSync(file, 'utf8') };
    const stream = `price_sheet-${ledger.appId}`;
    const read = await subledger(['streams', 'read', stream, '--json'], url);
    const facts = read.stdout.trim().split('\n').map(parseFact);
    expect(facts.slice(0, 2)).toMatchObject([
      { revision: 0, type: 'price_sheet.uploaded.v1', metadata: { actor: 'operator:demo' } },
      { revision: 1, type: 'price_sheet.activated.v1' },
    ]);
    expect((await subledger(['streams', 'read', 'nothing-1'], url)).code).toBe(1);
  });
});

function parseFact(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}
