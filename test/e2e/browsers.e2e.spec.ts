import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, type Answer, type ApiClient, bearer } from '../support/api-client.js';
import { useBrowser, type WatchedPage } from '../support/browser.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { buy, checkoutLink, issuePlayerToken } from '../support/scenario.js';

const ledger = useLedger();
const browser = useBrowser();
let stranger: ApiClient;
let player: ApiClient;
let subscription: string;

beforeAll(async () => {
  stranger = anonymous(ledger.standalone.baseUrl);
  player = bearer(ledger.standalone.baseUrl, await issuePlayerToken(ledger.backend, 'player-1'));
  const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: 'player-1' });
  subscription = `/sdk/subscriptions/${subscriptionId}`;
});

/** One page for all, as it takes seconds of a processor to show: each test continues the one before it. */
describe('the page at /docs', () => {
  let docs: WatchedPage;
  beforeAll(async () => {
    docs = await browser.open(`${ledger.standalone.baseUrl}/docs`);
  });
  afterEach(() => expect(docs.complaints).toEqual([]));
  afterAll(() => docs.page.context().close());

  async function authorize(as: string, token: string): Promise<void> {
    const { page } = docs;
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const credentials = page.locator('.auth-container').filter({ hasText: as });
    await credentials.getByRole('textbox').fill(token);
    await credentials.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.close-modal').click();
  }

  /** Opens an operation, fills its form and sends it. @returns its element. */
  async function tryOut(id: string, fields: Readonly<Record<string, string>> = {}) {
    const operation = docs.page.locator(`[id$="${id}"]`);
    await operation.getByRole('button').first().click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    for (const [name, value] of Object.entries(fields)) {
      await operation.getByPlaceholder(name, { exact: true }).fill(value);
    }
    await operation.getByRole('button', { name: 'Execute' }).click();
    return operation;
  }

  it('shows the operations and needs nothing from outside', async () => {
    const { page, outside } = docs;
    await page.getByText('/sdk/subscriptions/{id}/cancel').waitFor();
    expect(await page.title()).toBe('subledger API');
    const list = page.locator('#operations-plans-plans_list').getByRole('button').first();
    await list.click();
    await page.getByText('Only plans of this status').waitFor();
    await list.click();
    expect(outside).toEqual([]);
    // Swagger UI's own takes seconds for each operation that is opened.
    const resolver = await page.evaluate('ui.getSystem().fn.resolveSubtree.name');
    expect(resolver).toBe('resolveInDocument');
  });

  it('calls the API with the token that was typed in', async () => {
    await authorize('operator', ledger.standalone.demo.operatorToken);
    const list = await tryOut('apps_list');
    await list.getByText('"environment": "test"').first().waitFor();
    // The checkout page of the same origin could read the browser's storage.
    const kept = await docs.page.evaluate(
      'JSON.stringify([{...localStorage}, {...sessionStorage}])',
    );
    expect(kept).toBe('[{},{}]');
  });

  it("calls in the name of the player whose token was typed in, and changes what is this player's", async () => {
    const { baseUrl } = ledger.standalone;
    const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: 'player-docs' });
    const token = await issuePlayerToken(ledger.backend, 'player-docs');
    await authorize('player', token);
    const list = await tryOut('subscriptions_list');
    await list.getByText(`"id": "${subscriptionId}"`).first().waitFor();
    const cancel = await tryOut('subscriptionCommands_cancel', { id: subscriptionId });
    await cancel.locator('.live-responses-table').getByText('"status": "canceled"').waitFor();
    const asSeen = bearer(baseUrl, token).get(`/sdk/subscriptions/${subscriptionId}`);
    expect((await asSeen).body).toMatchObject({ cancel_at_period_end: true });
  });
});

describe('a page of another origin', () => {
  it('calls in the name of its player, changes something, and reads the headers', async () => {
    const { baseUrl } = ledger.standalone;
    const token = await issuePlayerToken(ledger.backend, 'player-1');
    const { page } = await browser.open(`${baseUrl.replace('127.0.0.1', 'localhost')}/healthz`);
    const call = {
      url: `${baseUrl}${subscription}/cancel`,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'page',
      },
    };
    const answer = await page.evaluate(async ({ url, headers }) => {
      const said = await fetch(url, { method: 'POST', headers, body: '{}' });
      const seen = ['etag', 'x-consistency-token', 'x-request-id'].map((name) =>
        said.headers.get(name),
      );
      return { status: said.status, seen };
    }, call);
    expect(answer.status).toBe(200);
    expect(answer.seen).not.toContain(null);
  });
});

describe('pages of other origins', () => {
  const ORIGIN = 'https://game.example';
  const origin = { origin: ORIGIN };
  const allowedIn = ({ headers }: Answer) => headers.get('access-control-allow-origin');
  const preflight = (path: string, method: string) =>
    stranger.send('OPTIONS', path, {
      headers: {
        ...origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,idempotency-key',
      },
    });
  const allow = async (allowedOrigins: string[]) =>
    ledger.operator.send('PATCH', `/manage/apps/${ledger.appId}`, { body: { allowedOrigins } });

  it('may call what players may call, and read its headers, refused or not', async () => {
    const answers = await Promise.all([
      player.get('/sdk/plans', { headers: origin }),
      player.get('/sdk/subscriptions/nothing', { headers: origin }),
      player.get('/sdk/subscriptions?limit=0', { headers: origin }),
      player.post(`${subscription}/reactivate`, {}, { ...origin, 'if-match': '"99"' }),
      stranger.get('/sdk/plans', { headers: origin }),
      bearer(ledger.standalone.baseUrl, 'expired').get(subscription, { headers: origin }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 412, 401, 401]);
    for (const answer of answers) {
      expect(allowedIn(answer)).toBe('*');
      expect(answer.headers.get('vary')).toMatch(/\borigin\b/);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      const exposed = answer.headers.get('access-control-expose-headers') ?? '';
      for (const name of ['etag', 'x-consistency-token', 'x-request-id', 'retry-after']) {
        expect(exposed).toContain(name);
      }
    }
  });

  it.each([
    ['/sdk/plans', 'GET'],
    ['/sdk/plans/code/gold', 'GET'],
    ['/sdk/subscriptions/sub_x/cancel', 'POST'],
    ['/sdk/subscriptions/sub_x/payments?limit=3', 'GET'],
  ])('get the permission beforehand: %s %s', async (path, method) => {
    const answer = await preflight(path, method);
    expect([answer.status, answer.text, allowedIn(answer)]).toEqual([204, '', '*']);
    expect(answer.headers.get('access-control-allow-methods')).toContain(method);
    const headers = answer.headers.get('access-control-allow-headers');
    expect(headers).toContain('authorization');
    expect(headers).toContain('idempotency-key');
    expect(headers).not.toContain('x-service');
    expect(answer.headers.get('x-request-id')).not.toBeNull();
  });

  it.each([
    ['/manage/apps', 'GET'],
    ['/sdk/server/prices/convert', 'POST'],
    ['/sdk/server/access-tokens', 'POST'],
    ['/sdk/subscriptions/checkout-links', 'POST'],
    ['/sdk/plans', 'DELETE'],
    ['/checkout/cl_x/complete', 'POST'],
    ['/openapi.json', 'GET'],
    ['/nothing', 'GET'],
  ])('get no permission for what is not for players: %s %s', async (path, method) => {
    const answer = await preflight(path, method);
    expect([404, 405]).toContain(answer.status);
    expect(allowedIn(answer)).toBeNull();
  });

  it('read nothing that is answered to backends and operators', async () => {
    const key = { ...origin, 'x-service-api-key': ledger.standalone.demo.apiKey };
    const answers = await Promise.all([
      ledger.backend.get('/sdk/plans', { headers: origin }),
      stranger.get('/sdk/plans', { headers: key }),
      ledger.operator.get('/manage/apps', { headers: origin }),
      stranger.get('/checkout/nothing', { headers: origin }),
    ]);
    expect(answers.map(allowedIn)).toEqual([null, null, null, null]);
  });

  it('are those that the app lists, where it lists any', async () => {
    expect((await allow([ORIGIN, ORIGIN, 'http://localhost:3000'])).body).toMatchObject({
      allowedOrigins: [ORIGIN, 'http://localhost:3000'],
    });
    expect(allowedIn(await player.get('/sdk/plans', { headers: origin }))).toBe(ORIGIN);
    const others = await player.get('/sdk/plans', { headers: { origin: 'https://evil.example' } });
    expect([others.status, allowedIn(others)]).toEqual([200, null]);
    const refused = await player.get('/sdk/plans/x', {
      headers: { origin: 'https://evil.example' },
    });
    expect([...refusal(refused), allowedIn(refused)]).toEqual([404, 5, 'PLAN_NOT_FOUND', null]);
    expect((await preflight('/sdk/plans', 'GET')).status).toBe(204);
    await allow([]);
    expect(allowedIn(await player.get('/sdk/plans', { headers: origin }))).toBeNull();
    await allow(['*']);
    expect(allowedIn(await player.get('/sdk/plans', { headers: origin }))).toBe('*');
  });

  it.each([
    ['https://game.example/'],
    ['https://game.example/path'],
    ['game.example'],
    ['https://GAME.example'],
    ['https://game.example:443'],
    ['https://*.example'],
    ['ftp://game.example'],
    ['null'],
    [''],
    [7],
  ])('are listed as browsers tell them, and not as %j', async (listed) => {
    const answer = await allow(['https://game.example', listed as string]);
    expect([...refusal(answer), badFields(answer)]).toEqual([
      400,
      3,
      'INVALID_FIELDS',
      ['allowedOrigins'],
    ]);
  });
});

describe('an answer', () => {
  const gzip = { 'accept-encoding': 'gzip' };

  it('that is long and only read is compressed, if the client takes that', async () => {
    for (const path of ['/openapi.json', '/docs/swagger-ui.css']) {
      const [compressed, plain] = await Promise.all([
        stranger.get(path, { headers: gzip }),
        stranger.get(path, { headers: { 'accept-encoding': 'gzip;q=0, identity' } }),
      ]);
      expect(compressed.headers.get('content-encoding')).toBe('gzip');
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(compressed.text).toBe(plain.text);
      for (const { headers } of [compressed, plain]) {
        expect(headers.get('vary')).toMatch(/\baccept-encoding\b/);
      }
      const sent = Number(compressed.headers.get('content-length') ?? 0);
      expect(sent).toBeLessThan(plain.text.length / 3);
    }
  });

  it('that is short, holds a credential or a secret, or names its bytes goes as it is', async () => {
    const { id } = await checkoutLink(ledger.backend, { plan: 'gold', player: 'player-3' });
    const app = { name: 'x'.repeat(200), environment: 'test' };
    const long = { externalAccountId: 'x'.repeat(255) };
    const answers = await Promise.all([
      stranger.get('/healthz', { headers: gzip }),
      stranger.get(`/checkout/${id}`, { headers: gzip }),
      player.get(subscription, { headers: gzip }),
      ledger.backend.post('/sdk/server/access-tokens', long, gzip),
      ledger.allApps.post('/manage/apps', app, gzip),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(
      answers.map(() => null),
    );
  });
});
