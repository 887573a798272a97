/** HttpClient of .NET sends again by itself whatever has no body, when the connection dies before the answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CuttingProxy, startCuttingProxy } from '../support/clients/cutting-proxy.js';
import { callByDotnet, type DotnetAnswer, type DotnetCall } from '../support/clients/dotnet.js';
import { useOwnLedger } from '../support/fixture.js';
import { compressing, requireProxy, type RunningProxy, startProxy } from '../support/proxy.js';
import { createPlan, requireOk } from '../support/scenario.js';

const LIMIT_MS = 300_000;
const NOWHERE = { url: 'http://127.0.0.1:9/' };
const ledger = useOwnLedger();
let proxy: CuttingProxy;
let nginx: RunningProxy;
let app: string;

beforeAll(async () => {
  requireProxy('nginx');
  const upstreamPort = Number(new URL(ledger.standalone.baseUrl).port);
  proxy = await startCuttingProxy(upstreamPort);
  nginx = await startProxy('nginx', { upstreamPort, change: compressing });
  app = `/manage/apps/${ledger.appId}`;
}, LIMIT_MS);

afterAll(async () => {
  await nginx.stop();
  await proxy.close();
}, LIMIT_MS);

async function newEndpoint(): Promise<string> {
  const { body } = requireOk(await ledger.operator.post(`${app}/webhook-endpoints`, NOWHERE));
  return `${app}/webhook-endpoints/${String(body['id'])}`;
}

function call(baseUrl: string, method: string, path: string, more: Partial<DotnetCall> = {}) {
  const headers = { authorization: `Bearer ${ledger.allAppsToken}`, ...more.headers };
  return { method, url: `${baseUrl}${path}`, ...more, headers };
}

/** One call, whose first answers do not arrive. */
async function cutOff(
  count: number,
  ...asked: Parameters<typeof call> extends [unknown, ...infer Rest] ? Rest : never
): Promise<DotnetAnswer | undefined> {
  proxy.cutNext(count);
  const before = proxy.cut();
  const [answer] = await callByDotnet([call(proxy.baseUrl, ...asked)]);
  expect(proxy.cut() - before).toBe(count);
  return answer;
}

const parse = (answer: DotnetAnswer | undefined) => JSON.parse(answer?.body ?? '{}') as object;

describe('HttpClient of .NET', () => {
  it(
    'sends a rotation without a body again, and learns that its key has made a secret',
    async () => {
      const endpoint = await newEndpoint();
      const headers = { 'Idempotency-Key': 'rotated once' };
      const answer = await cutOff(1, 'POST', `${endpoint}/rotate-secret`, { headers });
      expect(answer?.status).toBe(409);
      const id = endpoint.split('/').at(-1);
      const info = { reason: 'SECRET_SHOWN_ALREADY', metadata: { id } };
      expect(parse(answer)).toMatchObject({ details: [info] });
      // It made one secret: with the first there is room for two more.
      const rotations = [1, 2].map(() => ledger.operator.post(`${endpoint}/rotate-secret`, {}));
      expect((await Promise.all(rotations)).map(({ status }) => status)).toEqual([200, 200]);
    },
    LIMIT_MS,
  );

  it(
    'sends a deletion three times, which ends as the first did',
    async () => {
      const endpoint = await newEndpoint();
      expect((await cutOff(2, 'DELETE', endpoint))?.status).toBe(204);
      expect((await ledger.operator.get(endpoint)).status).toBe(404);
    },
    LIMIT_MS,
  );

  it(
    'leaves a command with a body to its caller, who repeats it with its key',
    async () => {
      const asked = { headers: { 'Idempotency-Key': 'made once' }, body: NOWHERE };
      const answer = await cutOff(1, 'POST', `${app}/webhook-endpoints`, asked);
      expect(answer?.error).toBe('ResponseEnded');
      const again = await cutOff(0, 'POST', `${app}/webhook-endpoints`, asked);
      expect(again?.status).toBe(409);
    },
    LIMIT_MS,
  );

  it(
    'reads a plan through nginx that compresses, changes it if unchanged, and is refused with an old tag',
    async () => {
      const id = await createPlan(ledger.operator, ledger.appId, { code: 'silver' });
      const plan = `${app}/plans/${id}`;
      const rename = (name: string, more = {}) =>
        call(nginx.baseUrl, 'PATCH', plan, { body: { name }, ...more });
      const first = 'W/"0"';
      const [read, changed, late] = await callByDotnet([
        call(nginx.baseUrl, 'GET', plan),
        rename('Changed', { ifUnchanged: true }),
        rename('Late', { headers: { 'If-Match': first } }),
      ]);
      expect(read?.tag).toMatch(/^W\/"\d+"$/);
      expect([read?.tag, changed?.status, late?.status]).toEqual([first, 200, 412]);
      expect(parse(changed)).toMatchObject({ name: 'Changed' });
    },
    LIMIT_MS,
  );
});
