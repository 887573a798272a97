import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { cosignNote, formatProof, formatVerifierKey, readSigningKey, type SealProof } from '#seal';
import { BUNDLE_KEY, makeLines, makePem, proveLine, signTree } from '../../support/seal/bundle.js';

const TOOL = 'tools/seal-check.mjs';
const LINES = makeLines(300);
const VKEY = formatVerifierKey(BUNDLE_KEY);
const checkpoint = signTree(LINES);
const PROOF = await makeProof(123);

const folder = mkdtempSync(path.join(tmpdir(), 'subledger-seal-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function makeProof(index: number): Promise<SealProof> {
  return { line: LINES[index]!, index, hashes: await proveLine(LINES, index), checkpoint };
}

function check(text: string, ...args: string[]) {
  const file = path.join(folder, 'event.tlog-proof');
  writeFileSync(file, text);
  return run(file, ...(args.length === 0 ? ['--key', VKEY] : args));
}

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [TOOL, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('tools/seal-check.mjs', () => {
  it('is one file of 200 lines at most, and needs Node alone', () => {
    const source = readFileSync(TOOL, 'utf8');
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
    const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    expect(imports.filter((name) => !name?.startsWith('node:'))).toEqual([]);
  });

  it('tells which event a right proof proves', () => {
    const { status, stdout } = check(formatProof(PROOF));
    expect(stdout).toMatch(
      /^Sealed: the ledger ledger\.example\/ledger\/1 attests .* leaf 123 of 300\./,
    );
    expect(stdout).toMatch(/^stream {4}payment-pay_23$/m);
    expect(stdout).toMatch(/^event {5}5f0c2f9a-7c1e-4c0e-9c6f-000000000123$/m);
    expect(stdout).toMatch(/^type {6}payment\.captured\.v1$/m);
    expect(status).toBe(0);
  });

  it.each([0, 1, 255, 256, 298, 299])('takes the proof of leaf %i', async (index) => {
    const { status, stdout } = check(formatProof(await makeProof(index)), '--key', VKEY, '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      index,
      size: 300,
      line: LINES[index]!.toString(),
    });
  });

  it('takes a key and a line from files, and a checkpoint that others cosigned', () => {
    const finance = readSigningKey('finance.example', makePem(3), 4);
    const note = cosignNote(checkpoint, finance, 1_679_315_147);
    const [key, line] = [path.join(folder, 'vkey'), path.join(folder, 'line')];
    writeFileSync(key, `${VKEY}\n`);
    writeFileSync(line, PROOF.line);
    const text = formatProof({ ...PROOF, checkpoint: note });
    expect(check(text, '--key', key, '--line', line)).toMatchObject({ status: 0 });
    expect(check(text, '--key', key, '--line', PROOF.line.toString().trim())).toMatchObject({
      status: 0,
    });
  });

  const text = formatProof(PROOF);
  it.each([
    ['another line', formatProof({ ...PROOF, line: LINES[124]! }), 'do not give the root'],
    ['another number', text.replace('index 123', 'index 122'), 'do not give the root'],
    ['a number outside', text.replace('index 123', 'index 300'), 'has none of number 300'],
    ['a missing hash', formatProof({ ...PROOF, hashes: PROOF.hashes.slice(1) }), 'too few hashes'],
    [
      'one hash more',
      formatProof({ ...PROOF, hashes: [...PROOF.hashes, Buffer.alloc(32)] }),
      'too many hashes',
    ],
    ['another size', text.replace('\n300\n', '\n301\n'), 'signature by .* is wrong'],
    ['another origin', text.replace('\nledger.example', '\nledger.examplf'), 'of ledger.examplf'],
    ['a signature that is cut off', text.slice(0, -10), 'not base64|no signature|is wrong'],
    [
      'the note of another key',
      formatProof({
        ...PROOF,
        checkpoint: signTree(LINES, readSigningKey(BUNDLE_KEY.name, makePem(2))),
      }),
      'no signature by',
    ],
    [
      'no line of an event',
      formatProof({ ...PROOF, line: Buffer.from('a') }),
      'do not give the root',
    ],
    ['no text of a proof', 'hello', 'no line of an event'],
  ])('refuses %s', (_, altered, reason) => {
    const { status, stdout, stderr } = check(altered);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(new RegExp(`^Refused: .*(?:${reason}).*\\.\n$`));
  });

  it('refuses another line than the one that was sealed', () => {
    const result = check(text, '--key', VKEY, '--line', LINES[1]!.toString(), '--json');
    expect(result.status).toBe(1);
    expect(JSON.parse(result.stdout)).toEqual({
      ok: false,
      reason: 'the line that was sealed is another one.',
    });
  });

  it('refuses a key that is none, and one that only cosigns', () => {
    expect(check(text, '--key', VKEY.replace('+A', '+B'))).toMatchObject({ status: 1 });
    const cosigner = readSigningKey(BUNDLE_KEY.name, makePem(1), 4);
    expect(check(text, '--key', formatVerifierKey(cosigner)).stdout).toContain('the id of the key');
  });

  it('explains itself', () => {
    expect(run('--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--key VKEY'),
    });
    expect(run('x.tlog-proof')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Usage'),
    });
    expect(run('--what')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage') });
    expect(run('missing.tlog-proof', '--key', VKEY)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('missing'),
    });
  });
});
