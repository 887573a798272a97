import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from '../../docs/openapi/client.js';
import type { paths as storefrontPaths } from '../../docs/openapi/storefront-client.js';
import { signature } from './api-client.js';
import type { Demo } from './standalone.js';

/** A client whose paths, bodies and answers are those of the API's document: a call that it lacks does not compile. */
export type TypedClient = Client<paths>;

/** The same of the document of the storefront: game clients, and tests without a browser. */
export type StorefrontClient = Client<storefrontPaths>;

/** Longer than a payment is waited for. */
const LIMIT_MS = 40_000;

/** @param headers of a session its cookie, and those of the player's device. */
export function typedStorefront(
  baseUrl: string,
  headers: Readonly<Record<string, string>> = {},
): StorefrontClient {
  return createClient<storefrontPaths>({
    baseUrl,
    headers: { accept: 'application/json', ...headers },
    redirect: 'manual',
    fetch: (request) => fetch(request, { signal: AbortSignal.timeout(LIMIT_MS) }),
  });
}

/** The studio's backend: each request is signed. */
export function typedBackend(demo: Demo): TypedClient {
  return typedClient(demo.baseUrl, async (request) => ({
    'x-service-hmac-signature': signature(demo, await request.clone().text()),
  }));
}

/** An operator, or a player's own client: a bearer token. */
export function typedBearer(baseUrl: string, token: string): TypedClient {
  return typedClient(baseUrl, () => ({ authorization: `Bearer ${token}` }));
}

type Credentials = (
  request: Request,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

function typedClient(baseUrl: string, credentials: Credentials): TypedClient {
  const client = createClient<paths>({ baseUrl });
  const authenticate: Middleware = {
    onRequest: async ({ request }) => {
      for (const [name, value] of Object.entries(await credentials(request))) {
        request.headers.set(name, value);
      }
      return request;
    },
  };
  client.use(authenticate);
  return client;
}

/** The answer to an accepted call. @throws Error with the refusal. */
export function accepted<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data !== undefined) return data;
  throw new Error(`refused: ${JSON.stringify(error)}`);
}

/** The reasons that the document has for the refusals of an operation. */
export type ReasonOf<Refusal> = Refusal extends { details: (infer Detail)[] }
  ? Extract<Detail, { reason: string }>['reason']
  : never;

/** The reason of a refusal: one of those of its operation. */
export function reasonIn<Refusal extends { readonly details: readonly object[] }>(
  error: Refusal | undefined,
): ReasonOf<Refusal> | undefined {
  const info = error?.details.find((detail) => 'reason' in detail);
  // The one detail that has a reason is the ErrorInfo, and its values are the document's.
  return info?.reason as ReasonOf<Refusal> | undefined;
}
