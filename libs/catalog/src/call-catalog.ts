import type { CatalogSettings, CreatedApp } from '#domain/app';
import {
  checkTarget,
  type EgressAnswer,
  type EgressConnections,
  get,
  RequestFailed,
  type TargetRules,
} from '#egress';
import { Fault, withSignal } from '#platform';
import { catalogFolder, catalogInFolder } from './catalog-address.js';
import { ANSWER_LIMIT_BYTES, CALL_LIMIT_MS } from './limits.js';
import { failedAnswer, failedCall, parseCatalog, type ParsedCatalog } from './parse-catalog.js';

/** The headers that every call has beside the app's own one (rules/catalog 2). */
export const SENT_HEADERS = { accept: 'application/json', 'accept-encoding': 'identity' };

/** One call of a studio's catalog. */
export interface CatalogCall {
  readonly app: Pick<CreatedApp, 'appId'>;
  readonly settings: CatalogSettings;
  /** In the clear. */
  readonly apiKey: string;
  readonly rules: TargetRules;
  readonly playerId: string;
  readonly language: string;
  readonly connections: EgressConnections;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
  /** Of the whole call. */
  readonly limitMs?: number;
}

export interface CatalogAnswer {
  readonly parsed: ParsedCatalog;
  /** The answer, where its head came at least. */
  readonly answer?: EgressAnswer;
  /** The error of the call itself, in words; no text of the backend is in it. */
  readonly error?: string;
}

/**
 * Asks a studio's backend for a player's catalog: a GET of at most 5 s in all, no redirect followed, at most 1 MiB read
 * (rules/catalog 2). It never throws for an error of the backend.
 *
 * @throws Fault where our side failed: the proxy or this machine, or the program stops.
 */
export async function callCatalog(call: CatalogCall): Promise<CatalogAnswer> {
  const { settings, playerId, language, rules } = call;
  const below = catalogInFolder(playerId, language);
  if (below === undefined) return { parsed: failedCall('unusable_player_id') };
  const url = catalogFolder(settings);
  const headers = { ...SENT_HEADERS, [settings.apiKeyHeader]: call.apiKey };
  // The address below it is never named.
  const target = checkTarget(url, rules);
  if (!target.ok) return { parsed: failedCall('forbidden_address'), error: target.reason };
  try {
    const answer = await getOnce(call, { url, headers, below });
    return { parsed: readAnswer(call, answer), answer };
  } catch (error) {
    if (call.signal.aborted)
      throw new Fault('unavailable', 'the program stops', { retryable: true });
    if (!(error instanceof RequestFailed)) throw error;
    const { answer, code, message } = error;
    return { parsed: failedCall(code), error: message, ...(answer !== undefined && { answer }) };
  }
}

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The path below the address. */
  readonly below: string;
}

function getOnce(call: CatalogCall, { url, headers, below }: Asked): Promise<EgressAnswer> {
  const { app, rules, connections, limitMs = CALL_LIMIT_MS } = call;
  // One byte more than an answer may have says that there was more.
  const answerLimitBytes = ANSWER_LIMIT_BYTES + 1;
  const asked = { owner: `catalog of ${app.appId}`, url, below, rules, headers, answerLimitBytes };
  return withSignal(call.signal, limitMs, (signal) => get(connections, { ...asked, signal }));
}

function readAnswer({ rules }: CatalogCall, { status, body }: EgressAnswer): ParsedCatalog {
  const { allowInsecure } = rules;
  // Ports are for this machine's requests: it is browsers that go to pictures.
  if (status === 200) return parseCatalog(body, { allowInsecure });
  return failedAnswer('status', `must come with status 200, and came with ${status}`);
}
