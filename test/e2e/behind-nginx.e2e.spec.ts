import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GateFile } from '../chaos/kills/gate.js';
import { type Answer, type ApiClient, bearer } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { grantOperatorToken } from '../support/operators.js';
import { compressing, requireProxy, type RunningProxy, startProxy } from '../support/proxy.js';
import { createPlan, requireOk, seeing } from '../support/scenario.js';
import {
  type RunningStandalone,
  startStandalone,
  temporaryDataDir,
} from '../support/standalone.js';

/** The API's process is there again within this. */
const BACK_LIMIT_MS = 60_000;

/** As docs/operations.md has nginx, with a server behind it that stops, starts and dies. */
describe('behind nginx', () => {
  const folder = temporaryDataDir();
  const gate = new GateFile(folder.dataDir);
  let env: Readonly<Record<string, string>>;
  let standalone: RunningStandalone;
  const proxies: RunningProxy[] = [];
  /** Through nginx as the page has it, through one that compresses, and past both. */
  let operator: ApiClient;
  let compressed: ApiClient;
  let direct: ApiClient;
  let plans: string;
  let plan: string;

  beforeAll(async () => {
    requireProxy('nginx');
    const upstreamPort = await freePort();
    env = { PORT: String(upstreamPort), ...gate.env };
    standalone = await startStandalone(folder.dataDir, env);
    const { token } = await grantOperatorToken(standalone, ['admin'], ['*']);
    const behind = async (options = {}) => {
      const proxy = await startProxy('nginx', { upstreamPort, ...options });
      proxies.push(proxy);
      return bearer(proxy.baseUrl, token);
    };
    operator = await behind();
    compressed = await behind({ change: compressing });
    direct = bearer(standalone.baseUrl, token);
    plans = `/manage/apps/${standalone.demo.appId}/plans`;
    plan = `${plans}/${await createPlan(operator, standalone.demo.appId, { code: 'gold' })}`;
  });

  afterAll(async () => {
    await Promise.all(proxies.map(async (proxy) => proxy.stop()));
    await standalone.stop();
    folder.remove();
  });

  const rename = (client: ApiClient, name: string, tag: string) =>
    client.send('PATCH', plan, { body: { name }, headers: { 'if-match': tag } });

  const readName = async (client: ApiClient, written: Answer) => {
    return requireOk(await client.get(plan, seeing(requireOk(written)))).body['name'];
  };

  const createSilver = (code: string) => {
    const prices = [{ currency: 'USD', amountCents: '999' }];
    const body = { code, name: code, billingPeriodValue: '1', billingPeriodUnit: 'month', prices };
    return operator.post(plans, body, { 'idempotency-key': `create ${code}` });
  };

  it('a plan is read, changed if unchanged and read, with the tag as it came', async () => {
    const tag = readTag(await operator.get(plan));
    expect(tag).toMatch(/^"\d+"$/);
    expect(tag).toBe(readTag(await direct.get(plan)));
    const changed = await rename(operator, 'Changed', tag);
    expect(await readName(operator, changed)).toBe('Changed');
    expect((await rename(operator, 'Too late', tag)).status).toBe(412);
    expect((await rename(operator, 'Weak', `W/${readTag(changed)}`)).status).toBe(200);
  });

  it('the same goes through one that compresses and weakens our tags', async () => {
    const read = await compressed.get(plan);
    expect(read.headers.get('content-encoding')).toBe('gzip');
    const tag = readTag(read);
    expect(tag).toBe(`W/${readTag(await direct.get(plan))}`);
    const changed = await rename(compressed, 'Compressed', tag);
    expect(await readName(compressed, changed)).toBe('Compressed');
    expect((await rename(compressed, 'Too late', tag)).status).toBe(412);
  });

  it.each([
    ['before its events are sent', 'plan.created.v'],
    ['before its answer is sent', 'x-consistency-token: '],
  ])('a command whose connection ends %s is done once by its key', async (_, text) => {
    const code = `silver-${text.length}`;
    gate.shut({ program: 'api', text }, 'SIGKILL');
    expect(byNginx(await createSilver(code))).toEqual(AWAY);
    gate.open();
    const { body } = await untilServed(() => createSilver(code));
    const repeated = requireOk(await createSilver(code));
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(repeated.body).toEqual(body);
    const list = requireOk(await operator.get(plans, seeing(repeated))).body['plans'];
    const created = (list as (typeof body)[]).filter((each) => each['code'] === code);
    expect(created).toEqual([expect.objectContaining({ id: body['id'] })]);
  });

  it('while we are stopped its answer is JSON that says when to come again, and then all goes on', async () => {
    const tag = readTag(await operator.get(plan));
    expect(await standalone.stop()).toBe(0);
    expect(byNginx(await operator.get(plan))).toEqual(AWAY);
    expect(byNginx(await rename(operator, 'Lost', tag))).toEqual(AWAY);
    standalone = await startStandalone(folder.dataDir, env);
    // It remembers nothing of a server that was away: the first call is answered.
    const changed = await rename(operator, 'Back', tag);
    expect(await readName(operator, changed)).toBe('Back');
  });
});

/** The answer of nginx in our place. */
const AWAY = {
  status: 503,
  type: 'application/json',
  retryAfter: '1',
  cacheControl: 'no-store, no-transform',
  requestId: null,
  body: { code: 14, message: 'The service cannot be reached.', details: [] },
};

function byNginx({ status, headers, body }: Answer): typeof AWAY | object {
  return {
    status,
    type: headers.get('content-type'),
    retryAfter: headers.get('retry-after'),
    cacheControl: headers.get('cache-control'),
    requestId: headers.get('x-request-id'),
    body,
  };
}

function readTag(answer: Answer): string {
  return requireOk(answer).headers.get('etag') ?? '';
}

/** Sends it until it is served. Whatever else is answered meanwhile tells the caller to come again. */
async function untilServed(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  await eventually(
    async () => {
      if (answer.status === 200) return true;
      expect([answer.status, answer.body['code']]).toEqual([503, 14]);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      answer = await send();
      return false;
    },
    { what: 'the API behind nginx', limitMs: BACK_LIMIT_MS },
  );
  return answer;
}
