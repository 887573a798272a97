import { createHmac } from 'node:crypto';
import { requireDocumentedReason } from './documented-reasons.js';
import type { Demo } from './standalone.js';

/** An answer of the API, with its body parsed where it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests look into bodies of all shapes; expectations say which.
  readonly body: Record<string, unknown> & {
    readonly details?: readonly Record<string, unknown>[];
  };
  readonly text: string;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls the API in the name of one kind of caller. */
export interface ApiClient {
  get(path: string, options?: CallOptions): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  send(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

type Credentials = (body: string) => Readonly<Record<string, string>>;

/** The signature header of rules/api 11, with everything that a test may want to get wrong. */
export function signature(
  demo: Pick<Demo, 'appId' | 'ingressSecret'>,
  body: string | Buffer,
  millis = Date.now(),
  version = 'v1',
): string {
  const key = Buffer.from(demo.ingressSecret, 'base64');
  const mac = createHmac('sha256', key).update(`${millis}.`).update(body).digest('base64');
  return `${version};${demo.appId};${millis};${mac}`;
}

/** The studio's backend: signed requests. */
export function backendClient(demo: Demo): ApiClient {
  return client(demo.baseUrl, (body) => ({ 'x-service-hmac-signature': signature(demo, body) }));
}

/** A player's client, or an operator: a bearer token. */
export function bearer(baseUrl: string, token: string): ApiClient {
  return client(baseUrl, () => ({ authorization: `Bearer ${token}` }));
}

/** A caller without any credentials. */
export function anonymous(baseUrl: string): ApiClient {
  return client(baseUrl, () => ({}));
}

/** The demo app's operator. */
export function operatorClient(demo: Demo): ApiClient {
  return bearer(demo.baseUrl, demo.operatorToken);
}

function client(baseUrl: string, credentials: Credentials): ApiClient {
  const send = async (method: string, path: string, { body, headers }: CallOptions = {}) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const init: RequestInit = {
      method,
      headers: {
        ...credentials(text),
        ...(text !== '' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text !== '' && { body: text }),
      redirect: 'manual',
      signal: AbortSignal.timeout(40_000),
    };
    const answer = await fetch(new URL(path, baseUrl), init);
    const location = answer.headers.get('location');
    if (answer.status !== 308 || location === null) {
      return documented(method, path, await toAnswer(answer));
    }
    // Checkout links live at the storefront: the same request is sent there (rules/storefront 1).
    return documented(method, path, await toAnswer(await fetch(location, init)));
  };
  return {
    send,
    get: (path, options) => send('GET', path, options),
    post: (path, body = {}, headers = {}) => send('POST', path, { body, headers }),
  };
}

/** The answer. @throws Error for a refusal that the document of the API, or of the storefront, does not have. */
export function documented(method: string, path: string, answer: Answer): Answer {
  const { status, body } = answer;
  // Answers of health have details of their own.
  if (!('code' in body)) return answer;
  const info = body.details?.find(({ '@type': type }) => String(type).endsWith('.ErrorInfo'));
  const reason = info?.['reason'];
  // A path that a port does not serve at all is of no operation.
  if (reason === 'PATH_NOT_FOUND') return answer;
  if (typeof reason === 'string') requireDocumentedReason(method, path, { status, reason });
  return answer;
}

async function toAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text();
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  const body = isJson && text !== '' ? (JSON.parse(text) as Answer['body']) : {};
  return { status: answer.status, headers: answer.headers, body, text };
}
