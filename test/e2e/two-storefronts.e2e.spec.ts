import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { useLedger } from '../support/fixture.js';
import { type RunningProgram, startProgram } from '../support/program.js';
import { requireOk } from '../support/scenario.js';
import { type ShopClient, shopClient } from '../support/shop-client.js';
import { useWebshop } from '../support/webshop.js';

const ledger = useLedger();
const shop = useWebshop(ledger);
let second: RunningProgram;
let origin: string;

beforeAll(async () => {
  const { storefrontUrl } = ledger.standalone.demo;
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  second = await startProgram('storefront', {
    ...(await readStorefrontEnvironment(storefrontUrl)),
    STOREFRONT_PORT: String(port),
  });
});
afterAll(async () => {
  await second.stop();
});

/** rules/webshop 7 */
it('an item that was seen in two storefronts at once is sent once, and a session is one in both', async () => {
  shop.catalog.offer({ id: 'sword' }, { id: 'gems' }, { id: 'bow' }, { id: 'last' });
  const here = await shop.open('twice');
  const there = await shopClient(origin, here.cookie);
  const view = (itemIds: string[]) => [here, there].map((one) => one.view(itemIds));
  const answers = await Promise.all([...view(['sword', 'gems']), ...view(['gems', 'sword'])]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
  await here.view(['bow']);
  await there.view(['bow']);
  // Earlier views are sent before it.
  await here.view(['last']);
  await eventually(() => seen().includes('last'), { what: 'the last view' });
  expect(seen().sort()).toEqual(['bow', 'gems', 'last', 'sword']);
});

/** rules/webshop 1 and 4: a page shows another process's writes of before its request. */
it('what was done in one storefront is at once what the other one shows', async () => {
  shop.catalog.offer({ id: 'sword' });
  const players = Array.from({ length: 8 }, (_, number) => `both-${number}`);
  await Promise.all(
    players.map(async (player) => {
      const here = await shop.open(player);
      const there = await shopClient(origin, here.cookie);
      for (const [round, [doing, looking]] of [
        ...turns(here, there),
        ...turns(here, there),
      ].entries()) {
        requireOk(await doing.add({ itemId: 'sword', quantity: 1 }));
        const { body } = await looking.shop();
        expect(body['cart']).toEqual({ quantity: round + 1 });
      }
      expect((await here.signOut()).status).toBe(204);
      expect((await there.shop()).status).toBe(401);
    }),
  );
});

const turns = (one: ShopClient, other: ShopClient) =>
  [
    [one, other],
    [other, one],
  ] as const;

const seen = () => shop.sentTo('twice', 'VIEW_ITEM').map(({ eventData }) => eventData['itemId']);

/** The environment of the standalone's own storefront: the secrets of a running program are in no file. */
async function readStorefrontEnvironment(url: string): Promise<Record<string, string>> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    const entries = text.split('\0').map((pair) => pair.split(/=(.*)/s, 2));
    const environment = Object.fromEntries(entries) as Record<string, string>;
    const { STOREFRONT_PORT: port, STOREFRONT_URL: address } = environment;
    if (address === url && port !== undefined && environment['REDIS_URL'] !== undefined)
      return environment;
  }
  throw new Error(`no storefront at ${url}`);
}
