import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatVerifierKey, readSigningKey } from '#seal';
import { subledger } from '../../cli/subledger.js';
import { added } from '../event-store/support.js';
import { readLog, startAudited, WrittenLog } from './altered-ledger.js';
import { makeKey, type SealedLedger } from './support.js';

const folder = mkdtempSync(path.join(tmpdir(), 'subledger-seal-commands-'));
const keyFile = path.join(folder, 'seal.pem');
let ledger: SealedLedger;
let vkey: string;
beforeAll(async () => {
  ledger = await startAudited();
  writeFileSync(keyFile, ledger.key);
  const { storeId } = await ledger.store.namespaces.require();
  vkey = formatVerifierKey(readSigningKey(`test/ledger/${storeId}`, ledger.key));
});
afterAll(async () => {
  await ledger.remove();
  rmSync(folder, { recursive: true });
});

const at = (name: string) => path.join(folder, name);
const seal = (...args: string[]) =>
  subledger(['seal', ...args], {
    EVENTSTOREDB_URL: ledger.server.connectionString,
    SEAL_KEY_FILE: keyFile,
  });
const sealJson = async (...args: string[]) => {
  const { code, stdout, stderr } = await seal(...args, '--json');
  const lines = stdout.trim().split('\n').filter(Boolean);
  return {
    code,
    stderr,
    answers: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
};

describe('subledger seal', () => {
  it('shows the last checkpoint, and makes one of the events behind it', async () => {
    await ledger.store.append('payment-pay_1', 'any', [added()]);
    const [status] = (await sealJson('status')).answers;
    const [name, id] = vkey.split('+');
    expect(status).toMatchObject({
      size: 606,
      origin: name,
      keys: [`${name}+${id}`],
      unattested: 1,
    });
    expect((await seal('status')).stdout).toMatch(/\nunattested +1\n/);
    expect(await sealJson('checkpoint')).toMatchObject({ code: 0, answers: [{ size: 607 }] });
    expect((await seal('checkpoint')).stdout).toContain('607 leaves of');
    expect((await sealJson('status')).answers).toMatchObject([{ size: 607, unattested: 0 }]);
  });

  it('makes a key for the owner of the file alone, and replaces none', async () => {
    expect(await seal('key', 'new', at('made.pem'))).toMatchObject({ code: 0 });
    const { mode } = statSync(at('made.pem'));
    expect((mode & 0o777).toString(8)).toBe('600');
    const made = readFileSync(at('made.pem'), 'utf8');
    expect((await seal('key', 'new', at('made.pem'))).stderr).toContain('EEXIST');
    expect(readFileSync(at('made.pem'), 'utf8')).toBe(made);
  });

  it('refuses to sign with another key than the last one, and without one', async () => {
    writeFileSync(at('other.pem'), makeKey());
    const env = { EVENTSTOREDB_URL: ledger.server.connectionString };
    const other = await subledger(['seal', 'checkpoint'], {
      ...env,
      SEAL_KEY_FILE: at('other.pem'),
    });
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('another key') as string,
    });
    expect(await subledger(['seal', 'checkpoint'], env)).toMatchObject({ code: 2 });
    const keyless = await subledger(['seal', 'verify'], env);
    expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining('--key') as string });
  });

  it('proves all events of a payment, each in a file that is checked offline', async () => {
    const { code, answers } = await sealJson('prove', 'pay_0', '--out', at('proofs'));
    expect({ code, leaves: answers.map(({ leaf }) => leaf) }).toEqual({
      code: 0,
      leaves: [3, 303, 605],
    });
    expect(readdirSync(at('proofs'))).toEqual(['0.tlog-proof', '1.tlog-proof', '2.tlog-proof']);
    const check = (...args: string[]) => subledger(['seal', 'check', ...args], {});
    const checked = await check(at('proofs/1.tlog-proof'), '--key', vkey, '--json');
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      leaf: 303,
      type: 'payment.captured.v1',
      size: 607,
    });
    const other = formatVerifierKey(readSigningKey(vkey.split('+')[0] ?? '', makeKey()));
    const refused = await check(at('proofs/1.tlog-proof'), '--key', other);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no signature by/) as string,
    });
  });

  it('proves one event by its id and its stream, and none that is not there', async () => {
    const [, event] = (await readLog(ledger.store)).filter(({ streamName }) =>
      streamName.endsWith('.pay_5'),
    );
    const one = await sealJson(
      'prove',
      event!.id,
      '--stream',
      'pay_5',
      '--out',
      at('one.tlog-proof'),
    );
    expect(one).toMatchObject({ code: 0, answers: [{ leaf: 308, file: at('one.tlog-proof') }] });
    const none = await seal(
      'prove',
      'no-such',
      '--stream',
      'pay_5',
      '--out',
      at('none.tlog-proof'),
    );
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(existsSync(at('none.tlog-proof'))).toBe(false);
    await ledger.store.append('payment-pay_new', 'any', [added()]);
    const unattested = await sealJson('prove', 'pay_new', '--out', at('unattested'));
    expect(unattested).toMatchObject({ code: 1, answers: [{ leaf: null, file: null }] });
    expect(unattested.stderr).toContain('EVENT_NOT_ATTESTED');
  });

  it('has a second party sign, whose signature proofs and exports then carry', async () => {
    writeFileSync(at('finance.pem'), makeKey());
    const cosign = ['cosign', '--sign-with', at('finance.pem'), '--name', 'finance.example'];
    const [{ key = '' } = {}] = (await sealJson(...cosign)).answers;
    expect(await sealJson(...cosign)).toMatchObject({ code: 0, answers: [{ key }] });
    await seal('prove', 'pay_1', '--out', at('cosigned'));
    const file = at('cosigned/0.tlog-proof');
    const checked = await subledger(['seal', 'check', file, '--key', `${vkey},${String(key)}`], {});
    expect(checked.stdout).toMatch(/\nCosigned by finance\.example\+[0-9a-f]{8} at 20\d\d-/);
    const verified = await seal('verify', '--key', `${vkey},${String(key)}`);
    expect(verified).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('All is as it was sealed.') as string,
    });
  });

  it('says that a bundle or a proof cannot be written', async () => {
    const place = path.join(at('taken'), 'below');
    writeFileSync(at('taken'), '');
    for (const args of [
      ['export', place],
      ['prove', 'pay_1', '--out', place],
    ]) {
      const done = await seal(...args);
      expect(done).toMatchObject({ code: 2 });
      expect(done.stderr).toContain(`${place} cannot be written`);
    }
  });

  it('exports a bundle, and verifies the ledger against it; a fork ends with 1', async () => {
    expect(await sealJson('export', at('bundle'))).toMatchObject({
      code: 0,
      answers: [{ size: 607 }],
    });
    expect(await seal('verify', '--against', at('bundle'))).toMatchObject({ code: 0 });
    const log = await readLog(ledger.store);
    const lost = log.filter(
      ({ id }) => id !== log.find(({ streamName }) => streamName.endsWith('.pay_9'))?.id,
    );
    const altered = await WrittenLog.write(lost);
    try {
      const env = { EVENTSTOREDB_URL: altered.connectionString, SEAL_KEY_FILE: keyFile };
      const found = await subledger(['seal', 'verify', '--against', at('bundle')], env);
      expect(found).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('The leaf 12 has no event') as string,
      });
      expect(found.stderr).toContain('1 differences');
      const exported = await subledger(['seal', 'export', at('altered'), '--json'], env);
      expect(exported).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('LEDGER_DIFFERS') as string,
      });
    } finally {
      await altered.remove();
    }
  });

  it('says of a ledger that was never sealed how to begin', async () => {
    const log = (await readLog(ledger.store)).filter(
      ({ streamName }) => !streamName.includes('.seal_'),
    );
    const fresh = await WrittenLog.write(log);
    try {
      const run = (...args: string[]) =>
        subledger(['seal', ...args], {
          EVENTSTOREDB_URL: fresh.connectionString,
          SEAL_KEY_FILE: keyFile,
        });
      expect((await run('status')).stdout).toBe(
        'No checkpoint yet: 608 events are not attested.\n',
      );
      const refused = await run('verify');
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('subledger seal checkpoint') as string,
      });
    } finally {
      await fresh.remove();
    }
  });
});
