import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from '@jest/globals';
import { RETRY_SCHEDULE_MS, webhookHeaders } from '#webhooks';

/** What merchants copy from `docs/webhooks.md` is run as it stands there. */
const DOCUMENT = readFileSync('docs/webhooks.md', 'utf8');
const dir = mkdtempSync(path.join(tmpdir(), 'subledger-snippets-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The code of a language that names all of these. */
function snippet(language: string, ...names: string[]): string {
  const blocks = [...DOCUMENT.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const found = blocks.find(
    ([, kind, code = '']) => kind === language && names.every((name) => code.includes(name)),
  );
  if (found?.[2] === undefined) throw new Error(`no ${language} with ${names.join()}`);
  return found[2];
}

const vector = JSON.parse(snippet('json', 'formerSecret')) as Record<string, string>;
const text = (name: string) => vector[name] ?? '';
const BOTH = 'webhook-signature while both secrets are valid';
const at = Number(text('webhook-timestamp'));
const keyBase64 = (name: string) => text(name).replace('whsec_', '');

/** What a receiver is given, whether it is genuine, and why it is asked. */
const CASES = [
  ['a webhook', {}, at, true],
  ['one of the former secret', { secret: text('formerSecret') }, at, false],
  ['one while both are valid', { secret: text('formerSecret'), signature: text(BOTH) }, at, true],
  ['one under the newer of both', { signature: text(BOTH) }, at, true],
  ['an altered body', { body: text('body').replace('9.99', '0.99') }, at, false],
  ['another id', { id: 'msg_other' }, at, false],
  ['one of five minutes ago', {}, at + 300, true],
  ['one of more than five minutes ago', {}, at + 301, false],
  ['one of more than five minutes ahead', {}, at - 301, false],
] as const;

const requests = CASES.map(([, more, nowSeconds]) => {
  const given = { secret: text('secret'), body: text('body'), id: text('webhook-id'), ...more };
  const { signature = text('webhook-signature') } = more as { signature?: string };
  const headers = {
    'webhook-id': given.id,
    'webhook-timestamp': text('webhook-timestamp'),
    'webhook-signature': signature,
  };
  return { secret: given.secret, body: given.body, headers, nowSeconds };
});
const expected = CASES.map(([name, , , isGenuine]) => `${name}: ${isGenuine}`);

/** Runs a program with the requests as JSON on its input; it answers with a list of truths. */
function run(command: string, file: string, code: string): string[] {
  const place = path.join(dir, file);
  writeFileSync(place, code);
  const input = JSON.stringify(requests);
  const answers = JSON.parse(execFileSync(command, [place], { input, encoding: 'utf8' })) as [];
  return CASES.map(([name], n) => `${name}: ${String(answers[n])}`);
}

describe('docs/webhooks.md', () => {
  it('has the signatures that we make', () => {
    const attempt = {
      ...{ messageId: text('webhook-id'), sequence: 1, retryCount: 0, body: text('body') },
      timestampSeconds: at,
    };
    const secrets = [keyBase64('secret')];
    const headers = webhookHeaders({ ...attempt, secrets });
    expect(headers['webhook-signature']).toBe(vector['webhook-signature']);
    expect(headers['service-hmac-signature']).toBe(vector['service-hmac-signature']);
    const both = webhookHeaders({ ...attempt, secrets: [...secrets, keyBase64('formerSecret')] });
    expect(both['webhook-signature']).toBe(vector[BOTH]);
    expect(Buffer.byteLength(attempt.body)).toBe(96);
    expect(DOCUMENT).toContain('has 96 bytes');
  });

  it('verifies in Node as it stands there', () => {
    const code = `${snippet('js', 'export function verify')}
      import { readFileSync } from 'node:fs';
      const answers = JSON.parse(readFileSync(0, 'utf8')).map(({ secret, headers, body, nowSeconds }) =>
        verify(secret, headers, Buffer.from(body), nowSeconds));
      console.log(JSON.stringify(answers));`;
    expect(run(process.execPath, 'verify.mjs', code)).toEqual(expected);
  });

  it('verifies in Python as it stands there', () => {
    const code = `${snippet('python', 'def verify')}
import json, sys
print(json.dumps([verify(r["secret"], r["headers"], r["body"].encode(), r["nowSeconds"])
                  for r in json.load(sys.stdin)]))`;
    expect(run('python3', 'verify.py', code)).toEqual(expected);
  });

  it('has the waits of the schedule', () => {
    const waits = [...DOCUMENT.matchAll(/^\| \d+ +\| (?:(\d+) (s|min|h)|at once) +\|/gm)];
    const unitMs: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
    const documented = waits.map(([, n = '0', unit = 's']) => Number(n) * (unitMs[unit] ?? 0));
    expect(documented).toEqual(RETRY_SCHEDULE_MS);
  });
});
