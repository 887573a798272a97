/** Errors in headers and in credentials. */
import { type Mutation, setHeader } from './mutation.js';
import type { CallerKind } from './operations.js';
import type { Random } from './random.js';
import type { Draft } from './samples.js';
import type { Credentials } from './scene.js';

const LONG = 'x'.repeat(8_000);

/** Harmless or not, by name: each is set to one of its values. */
const ODD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'idempotency-key': ['', ' ', 'a b', 'x'.repeat(300), 'caf\xe9', 'a\tb', '__proto__', 'k1'],
  'if-match': ['', '*', '"0"', 'W/"0"', '"x"', '0', '"99999999999999999999"', '"0","1"', ',,,'],
  // A well-formed token of the future is left out: its answer is 503 after five seconds, as it must be.
  'x-consistency-token': ['', 'x', 'c1.1', `c2.${'0'.repeat(20)}`, `c1.${'0'.repeat(20)}`, 'c1.-1'],
  // None that is taken over: the changes of two requests of one id could not be kept apart.
  'x-request-id': ['', '<script>', 'a b', 'x'.repeat(65), 'caf\xe9'],
  accept: ['text/html', 'application/xml', '*/*;q=0', '', 'a'.repeat(3000)],
  'accept-encoding': ['gzip;q=0, identity;q=0', 'br', '*;q=0', 'x'],
  'accept-language': ['', '*', 'xx-XX-x-x-x', 'de;q=2', 'en'.repeat(1000)],
  host: ['', 'example.com', 'a b', '[::1', 'localhost:99999'],
  origin: ['null', 'https://evil.example', 'x'],
  cookie: ['a=b; __proto__=c', '='.repeat(2000)],
  range: ['bytes=0-0', 'bytes=-1,9-0'],
  expect: ['100-continue', 'something'],
  upgrade: ['websocket', 'h2c'],
  'x-forwarded-for': ['127.0.0.1', "';--"],
  'x-forwarded-host': ['evil.example'],
  'x-http-method-override': ['DELETE'],
  'content-length': ['1', '-1', '1e3', '0'],
  'content-encoding': ['identity', 'br', 'zstd'],
  'x-large': [LONG, LONG + LONG + LONG],
  'if-none-match': ['*', '"0"'],
  forwarded: ['for="_x";proto=https'],
};

/** These make another request of it: the bytes that follow on the wire are no longer the intended ones. */
const FRAMING = new Set(['content-length', 'expect', 'upgrade', 'host', 'x-large']);

export const HEADER_MUTATIONS: readonly Mutation[] = [
  {
    name: 'an odd header',
    isRefused: false,
    apply: (draft, random) => {
      const name = random.pick(Object.keys(ODD_HEADERS).filter((one) => !FRAMING.has(one)));
      const value = random.pick(ODD_HEADERS[name] ?? []);
      setHeader(draft, name, value);
      return `${name}: ${value.slice(0, 40)}`;
    },
  },
  {
    name: 'an odd frame',
    isRefused: false,
    apply: (draft, random) => {
      const name = random.pick([...FRAMING]);
      const value = random.pick(ODD_HEADERS[name] ?? []);
      setHeader(draft, name, value);
      return `${name}: ${value.slice(0, 40)}`;
    },
  },
  {
    name: 'a header twice',
    isRefused: false,
    apply: (draft, random) => {
      const names = [
        'idempotency-key',
        'if-match',
        'x-consistency-token',
        'x-request-id',
        'accept',
      ];
      const name = random.pick(names);
      draft.headers = [...draft.headers, [name, 'a'], [name, 'b']];
      return `${name} twice`;
    },
  },
];

const KINDS: readonly CallerKind[] = ['player', 'signature', 'apiKey', 'operator'];

export const CREDENTIALS_MUTATIONS: readonly Mutation[] = [
  credentials('malformed credentials', true, (_, random) => {
    const header = random.pick(MALFORMED);
    return () => [header];
  }),
  credentials('altered credentials', true, (draft) => {
    const { credentials: own } = draft;
    return (body) => own(body).map(([name, value]) => [name, altered(value)]);
  }),
  credentials('a signature over another body', true, (draft) => {
    return () => draft.app.credentials.signature(Buffer.from('{"other":1}'));
  }),
  credentials('two kinds at once', false, (draft, random) => {
    const { credentials: own } = draft;
    const more = draft.app.credentials[random.pick(KINDS)];
    return (body) => [...own(body), ...more(body)];
  }),
];

const MALFORMED: readonly (readonly [string, string])[] = [
  ['authorization', ''],
  ['authorization', 'Bearer'],
  ['authorization', 'Bearer a.b.c'],
  ['authorization', `Bearer ${'x'.repeat(7000)}`],
  ['authorization', 'Bearer eyJhbGciOiJub25lIn0.eyJhdWQiOiJzdWJsZWRnZXItb3BlcmF0b3IifQ.'],
  ['authorization', 'Basic eDp5'],
  ['authorization', 'Bearer caf\xe9'],
  ['authorization', 'Bearer __proto__'],
  ['x-service-api-key', ''],
  ['x-service-api-key', 'x'],
  ['x-service-api-key', 'YXBwX3g6eA=='],
  ['x-service-hmac-signature', ''],
  ['x-service-hmac-signature', 'v1;;;'],
  ['x-service-hmac-signature', 'v1;__proto__;1;AA=='],
  ['x-service-hmac-signature', 'v1;app_x;99999999999999999999;AA=='],
  ['x-service-hmac-signature', `v1;app_x;${Date.now()};${'A'.repeat(6000)}`],
];

/** The last character but one stands for bits of the key, the token or the signature. */
function altered(value: string): string {
  const at = value.length - 6;
  return `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`;
}

function credentials(
  name: string,
  isRefused: boolean,
  change: (draft: Draft, random: Random) => Credentials,
): Mutation {
  return {
    name,
    isRefused,
    apply: (draft, random) => {
      if (draft.operation.callers.length === 0) return undefined;
      draft.credentials = change(draft, random);
      return name;
    },
  };
}
