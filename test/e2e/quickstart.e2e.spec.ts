import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { runNpm, type RunningCommand } from '../support/npm.js';
import { enterShop, shopClient } from '../support/shop-client.js';
import { temporaryDataDir } from '../support/standalone.js';

const CALL = 'npm run -s call -- ';
const MARK = '<!-- quickstart:';

describe('the README', () => {
  const folder = temporaryDataDir();
  const env = { DATA_DIR: folder.dataDir, PORT: '0', STOREFRONT_PORT: '0' };
  const running: RunningCommand[] = [];
  let readme: string;

  beforeAll(async () => {
    readme = await readFile('README.md', 'utf8');
  });

  afterAll(async () => {
    for (const command of running.reverse()) await command.stop();
    folder.remove();
  });

  it('has a quickstart that works as it is written', async () => {
    const [start, receiver] = commandsBefore(readme);
    expect(start).toBe('npm start');
    expect(receiver).toBe('npm run merchant');
    const ledger = runNpm(['start'], env);
    running.push(ledger);
    await ledger.says('subledger is running');
    const merchant = runNpm(['run', 'merchant'], env);
    running.push(merchant);
    await merchant.says('Listening for webhooks');

    const { code, output } = await runShell(withoutNpm(readQuickstart(readme)), env);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toContain('"code": "gold"');
    expect(output).toContain('"status": "past_due"');
    expect(output).toContain('SUBSCRIPTION_PAYMENT_STATUS_FAILED');

    expect(output).toContain('"status": "PAID"');

    const promised = promisedWebhooks(readme);
    await eventually(() => receivedTypes(merchant).length >= 9, { what: 'nine webhooks' });
    // The order is a subject of its own: its messages may overtake those of the subscription.
    const [ofOrder, others] = [receivedTypes(merchant, '9.98'), receivedTypes(merchant)];
    expect(ofOrder.sort()).toEqual(['PURCHASE_SUCCEEDED', 'payment.succeeded']);
    const ofAll = [...promised, ...ofOrder, 'CREATE_PAYMENT_INTENT'];
    expect(others.sort()).toEqual(ofAll.sort());
    const ofSubscription = receivedTypes(merchant, '9.98', false);
    // It names no total, and is of the order.
    expect(ofSubscription.filter((type) => type !== 'CREATE_PAYMENT_INTENT')).toEqual(promised);
    expect(merchant.output()).toContain('player-1 gets 2 x Sword of dawn and has 2');
  });

  it('has a webshop to try, which the page of the merchant opens', async () => {
    const merchant = running[1];
    const [, game = ''] = /The game is at (\S+)/.exec(merchant?.output() ?? '') ?? [];
    const [startedAt = ''] = running[0]?.output().match(/\S+\/shop(?= )/) ?? [];
    const form = { method: 'POST', body: new URLSearchParams({ player: 'ann' }) };
    const opened = await fetch(new URL('/shop', game), { ...form, redirect: 'manual' });
    const link = opened.headers.get('location') ?? '';
    expect(link).toContain(startedAt);
    const shop = await shopClient(new URL(link).origin, await enterShop(link));
    const { body } = await shop.shop();
    const items = (body['rows'] as { items: { id: string; image: string }[] }[]).flatMap(
      ({ items: each }) => each,
    );
    for (const { image } of items) {
      const picture = await fetch(image);
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    }
    const claimed = await shop.claim('chest', { claimId: 'first' });
    const bought = await shop.buy('gems-500', { quantity: 1 });
    expect([claimed.status, bought.status]).toEqual([200, 200]);
    const paid = await fetch(`${String(bought.body['url'])}/complete`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"paymentMethod":"pm_ok"}',
    });
    expect(paid.status).toBe(200);
    await merchant?.says('ann gets 1 x 500 gems and has 1');
    await merchant?.says('ann gets 1 x Wooden chest and has 1');
    expect(await (await fetch(game)).text()).toContain('<td>ann</td><td>500 gems</td><td>1</td>');
    // The catalog is for those who have its key.
    const catalog = await fetch(new URL('/catalog/ann', game));
    expect(catalog.status).toBe(401);
  });

  it('has a page that leads through the API, step by step', async () => {
    const page = await readFile('docs/api.md', 'utf8');
    const { code, output } = await runShell(readBlocks(page), env);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toContain('"code":"silver"');
    const statuses = [...output.matchAll(/"status":"([A-Za-z_]+)"/g)].map(([, status]) => status);
    expect(statuses).toEqual([
      ...['active', 'active', 'active', 'SUBSCRIPTION_PAYMENT_STATUS_SUCCEEDED'],
      ...['active', 'canceled'],
      ...['SUBSCRIPTION_PAYMENT_STATUS_PARTIALLY_REFUNDED', 'PARTIALLY_REFUNDED', 'CANCELED'],
    ]);
    expect(output).toContain('"code":5');
  });

  it('prints curl lines at the start that can be pasted', async () => {
    const lines = running[0]?.output().match(/^ +curl .*$/gm) ?? [];
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      // The quickstart above has taken the plan's code: this start's line makes another plan.
      const pasted = line.replace('"code":"gold"', '"code":"pasted"').replace('curl', 'curl -sf');
      const { code, output } = await runShell(pasted, {});
      expect({ line, code, output }).toMatchObject({ code: 0 });
    }
  });

  it('prints the signed curl line of a call, which works when it is pasted', async () => {
    const link = {
      plan: { code: 'gold' },
      currency: 'USD',
      user: { id: 'player\'s \\ "own" $HOME' },
    };
    const calls = [
      ['GET', '/sdk/plans'],
      ['POST', '/sdk/subscriptions/checkout-links', JSON.stringify(link)],
      ['GET', '/manage/apps/{appId}/test-clock'],
    ];
    for (const args of calls) {
      const printed = await runTool('call.mjs', ['--curl', ...args], env);
      expect(printed).toMatchObject({ code: 0, stderr: '' });
      const { code, output } = await runShell(`${printed.stdout.trim()} --fail`, {});
      expect({ args, code, output }).toMatchObject({ code: 0 });
    }
    expect((await runTool('call.mjs', ['--nonsense'], env)).code).toBe(2);
    expect((await runTool('call.mjs', ['GET', '/sdk/plans/none'], env)).code).toBe(1);
    const nowhere = await runTool('merchant.mjs', [], { DATA_DIR: '/nowhere' });
    expect(nowhere).toMatchObject({ code: 2, stdout: '' });
  });

  it('ends merchant and standalone when npm alone is killed, or gets a signal', async () => {
    const [ledger, merchant] = running;
    merchant?.signalNpm('SIGKILL');
    await eventually(async () => (await merchant?.processes())?.length === 0, {
      what: 'the end of the merchant',
    });
    ledger?.signalNpm('SIGTERM');
    await eventually(async () => (await ledger?.processes())?.length === 0, {
      what: 'the end of the standalone',
    });
  });

  it('ends the event store when npm alone is killed', async () => {
    const folderOfStore = temporaryDataDir();
    const options = ['--port', '0', '--data-dir', folderOfStore.dataDir];
    const store = runNpm(['run', 'event-store', '--', ...options], {});
    await store.says('esdb://');
    store.signalNpm('SIGKILL');
    await eventually(async () => (await store.processes()).length === 0, {
      what: 'the end of the event store',
    });
    folderOfStore.remove();
  });
});

/** The types of the webhooks that were printed: all, or those whose line names an amount, or none of these. */
function receivedTypes(merchant: RunningCommand, amount = '', isWanted = true): string[] {
  const lines = merchant.output().matchAll(/#\d+ (\S+) .*signature ok/g);
  return [...lines]
    .filter(([line]) => line.includes(amount) === isWanted)
    .map(([, type]) => type ?? '');
}

/** The commands of the two blocks before the quickstart's own. */
function commandsBefore(readme: string): string[] {
  const before = readme.slice(0, readme.indexOf(MARK));
  return [...before.matchAll(/```sh\n(.*?)\n```/gs)].map(([, command]) => command ?? '');
}

/** The block behind the mark, as one shell script that stops at the first failure. */
function readQuickstart(readme: string): string {
  const [, script = ''] = /```sh\n(.*?)```/s.exec(readme.slice(readme.indexOf(MARK))) ?? [];
  return `set -e\n${script}`;
}

/** All blocks behind the mark of a page, as one script. */
function readBlocks(page: string): string {
  const blocks = page.slice(page.indexOf('<!-- api:')).matchAll(/```sh\n(.*?)```/gs);
  return ['set -e', ...[...blocks].map(([, block]) => block)].join('\n');
}

/** The first call goes by npm, as the README has it; the others directly, since npm takes longest of all. */
function withoutNpm(script: string): string {
  const [before = '', first = '', ...rest] = script.split(CALL);
  return [before, first].join(CALL) + rest.map((each) => `node tools/call.mjs ${each}`).join('');
}

/** The webhook types that the paragraph behind the quickstart names. */
function promisedWebhooks(readme: string): string[] {
  const [, sentence = ''] = /The merchant has printed (.*?), in this order/s.exec(readme) ?? [];
  return [...sentence.matchAll(/`([a-z_.]+)`/g)].map(([, type]) => type ?? '');
}

/** Runs one of the tools to its end. */
async function runTool(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const child = spawn(process.execPath, [`tools/${name}`, ...args], {
    env: { ...process.env, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

async function runShell(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-c', script], { env: { ...process.env, ...env } });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}
