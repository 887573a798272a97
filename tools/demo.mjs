/** The shared part of the demo tools: the address of the standalone, and the credentials of its callers. */
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { ToolError } from './process.mjs';

const TOKEN_HEADER = 'x-consistency-token';
const TOKEN_FILE = 'demo-consistency-token';

function inDataDir(name) {
  return path.resolve(process.env.DATA_DIR ?? 'data', name);
}

/** Reads DATA_DIR/demo.json, which the standalone writes at every start. */
export function readDemo() {
  const file = inDataDir('demo.json');
  if (!existsSync(file)) {
    throw new ToolError(
      `${file} is not there. Run "npm start" in another terminal first, or set DATA_DIR.`,
      'usage',
    );
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Keeps the token of an answer, if it has one, beside demo.json for the next call's reads. */
export function keepToken(headers) {
  const token = headers.get(TOKEN_HEADER);
  if (token) writeFileSync(inDataDir(TOKEN_FILE), token);
}

/** The header with the token that was kept last; none when there is none yet. */
export function keptToken() {
  const file = inDataDir(TOKEN_FILE);
  return existsSync(file) ? { [TOKEN_HEADER]: readFileSync(file, 'utf8') } : {};
}

/** The signature of a studio's backend: HMAC-SHA256 over `{unixMillis}.{body}` (rules/api 11). */
export function sign(demo, body) {
  const millis = Date.now();
  const key = Buffer.from(demo.ingressSecret, 'base64');
  const mac = createHmac('sha256', key).update(`${millis}.${body}`).digest('base64');
  return `v1;${demo.appId};${millis};${mac}`;
}

/**
 * A request: to the API, management and seals with the operator's token and everything else signed; or to the
 * storefront, as a player's browser would send it.
 */
export function buildRequest(demo, method, address, body = '', extraHeaders = {}) {
  const isOfPlayer = address.startsWith('/checkout/');
  const headers = {
    ...(!isOfPlayer && credentials(demo, address, body)),
    ...(body && { 'content-type': 'application/json' }),
    ...extraHeaders,
  };
  const url = new URL(address, isOfPlayer ? demo.storefrontUrl : demo.baseUrl);
  return { url, method, headers, ...(body && { body }) };
}

function credentials(demo, address, body) {
  return /^\/(manage|seal)\//.test(address)
    ? { authorization: `Bearer ${demo.operatorToken}` }
    : { 'x-service-hmac-signature': sign(demo, body) };
}

/** Calls the API. */
export async function call(...args) {
  const { url, ...request } = buildRequest(...args);
  return fetch(url, { ...request, signal: AbortSignal.timeout(30_000) });
}

/** The same request as a line for a shell; a signature in it is good for five minutes. */
export function renderCurl({ url, method, headers, body }, options = []) {
  const words = ['curl', '-sS', ...options, '-X', method, url.href];
  for (const [name, value] of Object.entries(headers)) words.push('-H', `${name}: ${value}`);
  if (body) words.push('--data-raw', body);
  return words.map(quoted).join(' ');
}

/** A word as POSIX shells take it, whatever is in it. */
function quoted(word) {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
