import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { RETRY_SCHEDULE_MS, webhookHeaders } from '#webhooks';

/** The snippets that merchants copy from `docs/webhooks.md` are run as they stand there. */
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

/** A receiver's input, whether it is genuine, and why it is asked. */
const CASES = [
  ['a webhook', {}, at, true],
  ['one of the former secret', { secret: text('formerSecret') }, at, false],
  ['one while both are valid', { secret: text('formerSecret'), signature: text(BOTH) }, at, true],
  ['one under the newer of both', { signature: text(BOTH) }, at, true],
  ['one whose names come in another case', { isCapital: true }, at, true],
  ['a body that was encoded again', { body: JSON.stringify(JSON.parse(text('body'))) }, at, false],
  ['an altered body', { body: text('body').replace('9.99', '0.99') }, at, false],
  ['another id', { id: 'msg_other' }, at, false],
  ['one of five minutes ago', {}, at + 300, true],
  ['one of more than five minutes ago', {}, at + 301, false],
  ['one of more than five minutes ahead', {}, at - 301, false],
] as const;

interface Given {
  readonly signature?: string;
  readonly isCapital?: boolean;
}

const requests = CASES.map(([, more, nowSeconds]) => {
  const given = { secret: text('secret'), body: text('body'), id: text('webhook-id'), ...more };
  const { signature = text('webhook-signature'), isCapital = false } = more as Given;
  const headers = {
    [isCapital ? 'Webhook-Id' : 'webhook-id']: given.id,
    [isCapital ? 'Webhook-Timestamp' : 'webhook-timestamp']: text('webhook-timestamp'),
    [isCapital ? 'WEBHOOK-SIGNATURE' : 'webhook-signature']: signature,
  };
  return { secret: given.secret, body: given.body, headers, nowSeconds };
});
const expected = CASES.map(([name, , , isGenuine]) => `${name}: ${isGenuine}`);

/** Runs a program with the requests as JSON on its input; it answers with a list of truths. */
function run(command: readonly string[], file: string, code: string): string[] {
  const place = path.join(dir, file);
  writeFileSync(place, code);
  const input = JSON.stringify(requests);
  const [name = '', ...args] = command;
  const env = { ...process.env, ...TOOLS };
  const output = execFileSync(name, [...args, place], { input, encoding: 'utf8', env });
  const answers = JSON.parse(output) as [];
  return CASES.map(([asked], n) => `${asked}: ${String(answers[n])}`);
}

/** Once on a machine. */
const INSTALLED_WITHIN_MS = 300_000;

/** Compilers keep their output beside the snippets, and say nothing but the program's output. */
const TOOLS = {
  ...{ GOCACHE: path.join(dir, 'go'), GO111MODULE: 'off', DOTNET_NOLOGO: '1' },
  DOTNET_CLI_TELEMETRY_OPTOUT: '1',
};

/** Debian has no compiler of C#; Node and Python are on all of our machines, and Go is installed. */
function hasVersion(command: string, args: readonly string[], version: RegExp): boolean {
  const env = { ...process.env, ...TOOLS };
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', env });
  return status === 0 && version.test(stdout);
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
    expect(Buffer.byteLength(attempt.body)).toBe(180);
    expect(DOCUMENT).toContain('has 180 bytes');
  });

  it('verifies in Node as it stands there', () => {
    const code = `${snippet('js', 'export function verify')}
      import { readFileSync } from 'node:fs';
      const answers = JSON.parse(readFileSync(0, 'utf8')).map(({ secret, headers, body, nowSeconds }) =>
        verify(secret, headers, Buffer.from(body), nowSeconds));
      console.log(JSON.stringify(answers));`;
    expect(run([process.execPath], 'verify.mjs', code)).toEqual(expected);
  });

  it('verifies in Python as it stands there', () => {
    const code = `${snippet('python', 'def verify')}
import json, sys
print(json.dumps([verify(r["secret"], r["headers"], r["body"].encode(), r["nowSeconds"])
                  for r in json.load(sys.stdin)]))`;
    expect(run(['python3'], 'verify.py', code)).toEqual(expected);
  });

  it(
    'verifies in Go as it stands there',
    () => {
      const code = snippet('go', 'func Verify').replace('package webhooks', 'package main');
      // The snippet needs only its imports.
      expect(code.match(/^\t"[a-z/0-9]+"$/gm)).toHaveLength(8);
      // It is installed where it is missing, or the remedy is named.
      execFileSync(process.execPath, ['tools/setup.mjs', '--go-alone'], { stdio: 'pipe' });
      expect(hasVersion('go', ['version'], /go1\.(19|[2-9]\d)/)).toBe(true);
      const main = `
type request struct {
	Secret, Body string
	Headers      map[string]string
	NowSeconds   int64
}

func main() {
	var requests []request
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	answers := []bool{}
	for _, r := range requests {
		header := http.Header{}
		for name, value := range r.Headers {
			header.Set(name, value)
		}
		answers = append(answers, Verify(r.Secret, header, []byte(r.Body), time.Unix(r.NowSeconds, 0)))
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}`;
      const imports = code.replace('import (', 'import (\n\t"encoding/json"\n\t"os"');
      expect(run(['go', 'run'], 'verify.go', imports + main)).toEqual(expected);
    },
    INSTALLED_WITHIN_MS,
  );

  it(
    'verifies in PHP as it stands there',
    () => {
      execFileSync(process.execPath, ['tools/setup.mjs', '--php-alone'], { stdio: 'pipe' });
      const code = `${snippet('php', 'function verify')}
$answers = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $r) {
    $answers[] = verify($r['secret'], $r['headers'], $r['body'], $r['nowSeconds']);
}
echo json_encode($answers);`;
      expect(run(['php'], 'verify.php', code)).toEqual(expected);
    },
    INSTALLED_WITHIN_MS,
  );

  it('verifies in C# as it stands there, where there is a compiler', () => {
    const code = snippet('csharp', 'static class Webhooks');
    expect(code).toContain('CryptographicOperations.FixedTimeEquals');
    // A file alone is a program from this version on.
    if (!hasVersion('dotnet', ['--version'], /^[1-9]\d\./)) return;
    const usings = code.match(/^using .*;$/gm) ?? [];
    const rest = code.replaceAll(/^using .*;$/gm, '');
    const main = `#:property PublishAot=false
${usings.join('\n')}
using System.Text.Json;
var requests = JsonDocument.Parse(Console.In.ReadToEnd()).RootElement.EnumerateArray();
var answers = requests.Select(r => Webhooks.Verify(
    r.GetProperty("secret").GetString()!,
    r.GetProperty("headers").EnumerateObject().ToDictionary(h => h.Name, h => h.Value.GetString()!),
    Encoding.UTF8.GetBytes(r.GetProperty("body").GetString()!),
    r.GetProperty("nowSeconds").GetInt64()));
Console.WriteLine("[" + string.Join(",", answers.Select(a => a ? "true" : "false")) + "]");
${rest}`;
    expect(run(['dotnet', 'run'], 'verify.cs', main)).toEqual(expected);
  });

  it('verifies with the library as it stands there, which finds our signatures right', () => {
    const now = Math.floor(Date.now() / 1000);
    const attempt = { messageId: 'msg_1', sequence: 7, retryCount: 2, body: text('body') };
    const secrets = [keyBase64('secret'), keyBase64('formerSecret')];
    const headers = webhookHeaders({ ...attempt, timestampSeconds: now, secrets });
    const old = webhookHeaders({ ...attempt, timestampSeconds: now - 301, secrets });
    const code = `${snippet('js', 'standardwebhooks')}
      const isGenuine = (body, headers) => {
        try { return readEvent(Buffer.from(body), headers).type === 'payment.failed'; } catch { return false; }
      };
      const [body, ...all] = ${JSON.stringify([attempt.body, headers, old])};
      console.log(JSON.stringify([...all.map((each) => isGenuine(body, each)), isGenuine(body + ' ', all[0])]));`;
    for (const secret of [text('secret'), text('formerSecret')]) {
      const env = { ...process.env, WEBHOOK_SECRET: secret };
      const args = ['--input-type=module', '--eval', code];
      const answers = execFileSync(process.execPath, args, { encoding: 'utf8', env });
      expect(JSON.parse(answers)).toEqual([true, false, false]);
    }
  });

  it('has the signature that the library makes', () => {
    const webhook = new Webhook(text('secret'));
    const signed = webhook.sign(text('webhook-id'), new Date(at * 1000), text('body'));
    expect(signed).toBe(vector['webhook-signature']);
  });

  it('has the waits of the schedule', () => {
    const waits = [...DOCUMENT.matchAll(/^\| \d+ +\| (?:(\d+) (s|min|h)|at once) +\|/gm)];
    const unitMs: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
    const documented = waits.map(([, n = '0', unit = 's']) => Number(n) * (unitMs[unit] ?? 0));
    expect(documented).toEqual(RETRY_SCHEDULE_MS);
  });
});
