import type { Readable } from 'node:stream';
import { CliError, type ErrorKind } from './cli-error.js';
import type { ApiConnection } from './api-connection.js';

/** An upload of a full sheet takes seconds; a longer call has been lost. */
const LIMIT_MS = 120_000;
/** The API's largest page. */
const MAX_PAGE = 100;

/** The body of every refusal (rules/api 12). */
interface ErrorBody {
  readonly message?: string;
  readonly details?: readonly {
    readonly reason?: string;
    readonly fieldViolations?: readonly { readonly field: string; readonly description: string }[];
  }[];
}

export interface ApiRequest {
  readonly method?: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  readonly contentType?: string;
  readonly body?: string | Readable;
}

export interface ApiAnswer {
  readonly text: string;
  readonly headers: { get(name: string): string | null };
}

/** The first items of a list. */
export interface Listed<T> {
  readonly items: T[];
  /** Whether the list has more. */
  readonly isCut: boolean;
}

/** The management API as an operator sees it: most of it is about one app. */
export class Api {
  constructor(private readonly connection: ApiConnection) {}

  /**
   * @param path below `/manage/apps/{appId}/`, or below `/manage` where it begins with a slash.
   * @throws CliError with the service's own sentence.
   */
  async send(path: string, request: ApiRequest = {}): Promise<ApiAnswer> {
    const { baseUrl, appId, token } = this.connection;
    const place = path.startsWith('/') ? path : `/apps/${encodeURIComponent(appId)}/${path}`;
    // Behind a proxy, the API may be in a folder of its host.
    const url = new URL(`${baseUrl.replace(/\/+$/, '')}/manage${place}`);
    const { method = 'GET', contentType, body } = request;
    const init: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(contentType !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body, duplex: 'half' as const }),
      signal: AbortSignal.timeout(LIMIT_MS),
    };
    const answer = await fetch(url, init).catch((error: unknown) => {
      throw unreachable(baseUrl, error);
    });
    const text = await answer.text();
    if (!answer.ok) throw refused(answer.status, text);
    return { text, headers: answer.headers };
  }

  /** As `send`, with the answer parsed; its type is the one that the API documents for the path. */
  async json<T>(path: string, request: ApiRequest = {}): Promise<T> {
    const { text } = await this.send(path, request);
    return JSON.parse(text) as T;
  }

  /**
   * The items of a paged list, up to a limit.
   *
   * @param query filters; those that are undefined are left out.
   */
  async list<T>(
    path: string,
    field: string,
    query: Readonly<Record<string, string | undefined>> = {},
    limit = Infinity,
  ): Promise<Listed<T>> {
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) asked.set(name, value);
    }
    const items: T[] = [];
    let pageToken = '';
    do {
      asked.set('limit', String(Math.min(MAX_PAGE, limit - items.length)));
      asked.set('pageToken', pageToken);
      const page = await this.json<Record<string, unknown>>(`${path}?${asked.toString()}`);
      // A list has its items under its own name, and a token (rules/api 16).
      items.push(...(page[field] as T[]));
      pageToken = String(page['nextPageToken']);
    } while (pageToken !== '' && items.length < limit);
    return { items, isCut: pageToken !== '' };
  }
}

function unreachable(baseUrl: string, error: unknown): CliError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CliError(`${baseUrl} cannot be reached: ${why}.`, 'unreachable');
}

function refused(status: number, text: string): CliError {
  const { message, details = [] } = parseError(text);
  const violations = details.flatMap(({ fieldViolations = [] }) => fieldViolations);
  return new CliError(
    message ?? `The service answered HTTP ${status}.`,
    errorKind(status),
    violations.map(({ field, description }) => `${field}: ${description}`),
    details.find(({ reason }) => reason !== undefined)?.reason,
  );
}

/** A service that is overloaded or has lost its store is there again later; other 5xx are its own fault. */
function errorKind(status: number): ErrorKind {
  if (status === 503 || status === 429) return 'unreachable';
  return status >= 500 ? 'internal' : 'refused';
}

function parseError(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return {};
  }
}
