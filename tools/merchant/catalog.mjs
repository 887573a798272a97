/** The items of the merchant, as its backend answers the shop (docs/rules/catalog.md). */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { call } from '../demo.mjs';
import { ToolError } from '../process.mjs';
import { listPictures } from './pictures.mjs';

const KEY_HEADER = 'x-merchant-key';
const PATH = '/catalog';
const WEEK_SECONDS = 7 * 86_400;

/** In English and German; `limit` says that a player may have an item only once. */
const ROWS = [
  {
    header: { en: 'Gems', de: 'Edelsteine' },
    items: [
      item('gems-100', { en: '100 gems', de: '100 Edelsteine' }, '0.99'),
      item('gems-500', { en: '500 gems', de: '500 Edelsteine' }, '4.99'),
      item('gems-1200', { en: '1,200 gems', de: '1.200 Edelsteine' }, '9.99'),
    ],
  },
  {
    header: { en: 'This week', de: 'Diese Woche' },
    items: [
      item('sword', { en: 'Sword of dawn', de: 'Schwert der Dämmerung' }, '4.99', { limit: 1 }),
      item('dragon', { en: 'Young dragon', de: 'Junger Drache' }, '14.99', {
        limit: 3,
        ends: true,
      }),
    ],
  },
  {
    header: { en: 'On the house', de: 'Aufs Haus' },
    items: [item('chest', { en: 'Wooden chest', de: 'Holztruhe' }, '0.00', { limit: 1 })],
  },
];

function item(id, name, amount, { limit, ends = false } = {}) {
  return { id, name, amount, limit, ends };
}

/** The name of an item; of one that is not for sale here, its id. */
export function nameItem(id) {
  const found = ROWS.flatMap(({ items }) => items).find((each) => each.id === id);
  return found?.name.en ?? id;
}

export class Catalog {
  #apiKey = randomBytes(24).toString('base64url');
  #inventory;

  /** @param inventory knows how many of an item a player has: so many fewer may be bought. */
  constructor(inventory) {
    this.#inventory = inventory;
  }

  /** Tells the app where its catalog is from now on. */
  async configure(demo, baseUrl) {
    const catalog = { baseUrl, path: PATH, apiKeyHeader: KEY_HEADER, apiKey: this.#apiKey };
    const address = `/manage/apps/${demo.appId}`;
    const answer = await call(demo, 'PATCH', address, JSON.stringify({ catalog }));
    if (answer.ok) return;
    throw new ToolError(`The catalog was refused: ${(await answer.json()).message}`, 'refused');
  }

  /** @returns status, content type and body; undefined for another address. */
  answer({ pathname, searchParams }, headers, baseUrl) {
    const picture = listPictures().get(pathname);
    if (picture !== undefined) return { status: 200, type: 'image/svg+xml', body: picture };
    if (!pathname.startsWith(`${PATH}/`)) return undefined;
    if (!this.#isKey(headers[KEY_HEADER]))
      return answerJson(401, { message: 'Which key is that?' });
    const player = decodeURIComponent(pathname.slice(PATH.length + 1));
    const language = searchParams.get('lang')?.startsWith('de') ? 'de' : 'en';
    return answerJson(200, {
      rows: ROWS.map((row) => this.#offer(row, { player, language, baseUrl })),
    });
  }

  #offer({ header, items }, { player, language, baseUrl }) {
    const offered = items.map(({ id, name, amount, limit, ends }) => ({
      ...{ id, name: name[language], description: describe(name[language], language) },
      price: { currency: 'USD', amount },
      image: `${baseUrl}/pictures/${id}.svg`,
      ...(limit !== undefined && {
        max_purchasable: String(Math.max(0, limit - this.#inventory.count(player, id))),
      }),
      ...(ends && { expiration_time_seconds: String(nextWeek()) }),
    }));
    return { header: header[language], items: offered };
  }

  #isKey(given = '') {
    const [a, b] = [Buffer.from(String(given)), Buffer.from(this.#apiKey)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
}

function describe(name, language) {
  return language === 'de' ? `${name}, sofort im Spiel.` : `${name}, in the game at once.`;
}

/** An offer ends at the end of the week, for all players at the same moment. */
function nextWeek() {
  const now = Date.now() / 1000;
  return Math.ceil((now + 1) / WEEK_SECONDS) * WEEK_SECONDS;
}

function answerJson(status, body) {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}
