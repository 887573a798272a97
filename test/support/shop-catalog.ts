import { createServer } from 'node:http';
import { listenOnLoopback } from './listen.js';

/** An item as a studio's backend tells it. */
export interface OfferedItem {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly price?: { readonly currency: string; readonly amount: string };
  readonly image?: string;
  readonly max_purchasable?: string | number;
  readonly expiration_time_seconds?: string | number;
}

/** A request to the backend. */
export interface CatalogRequest {
  readonly playerId: string;
  readonly language: string;
  readonly apiKey: string | undefined;
}

export interface CatalogServer {
  readonly url: string;
  readonly requests: readonly CatalogRequest[];
  /** Its offer from now on, in one row; each item has defaults beside the given fields. */
  offer(...items: OfferedItem[]): void;
  /** The one language that it has, all others being 404; undefined for any. */
  speak(language: string | undefined): void;
  /** The answer to everything, such as a status of 500; undefined for the catalog again. */
  answerWith(answer: { readonly status: number; readonly body: string } | undefined): void;
  close(): Promise<void>;
}

const KEY_HEADER = 'x-studio-key';
/** A picture of one dot. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A studio's backend that lists players' items. */
export async function startCatalogServer(): Promise<CatalogServer> {
  const requests: CatalogRequest[] = [];
  let items: readonly OfferedItem[] = [];
  let spoken: string | undefined;
  let instead: { readonly status: number; readonly body: string } | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://catalog');
    if (pathname.startsWith('/pictures/')) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE);
      return;
    }
    const apiKey = request.headers[KEY_HEADER];
    const language = searchParams.get('lang') ?? '';
    requests.push({
      playerId: decodeURIComponent(pathname.split('/').at(-1) ?? ''),
      language,
      apiKey: typeof apiKey === 'string' ? apiKey : undefined,
    });
    const rows = [{ header: 'For you', items: items.map((item) => complete(item, url)) }];
    const known = (spoken ?? language) === language ? 200 : 404;
    const { status, body } = instead ?? { status: known, body: JSON.stringify({ rows }) };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const port = await listenOnLoopback(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    requests,
    offer: (...offered) => void (items = offered),
    speak: (language) => void (spoken = language),
    answerWith: (answer) => void (instead = answer),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The settings of an app whose catalog it is. */
export function catalogSettings({ url }: Pick<CatalogServer, 'url'>) {
  return { baseUrl: url, path: '/catalog', apiKeyHeader: KEY_HEADER, apiKey: 'studio-key' };
}

function complete(item: OfferedItem, url: string): OfferedItem {
  return {
    name: `Item ${item.id}`,
    description: `All about ${item.id}`,
    price: { currency: 'USD', amount: '4.99' },
    image: `${url}/pictures/${encodeURIComponent(item.id)}.png`,
    ...item,
  };
}
