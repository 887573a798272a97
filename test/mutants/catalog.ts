import type { Mutant } from './mutant.js';

const CATALOG = 'libs/catalog/src';
const CALLS = `${CATALOG}/call-catalog.int.spec.ts`;
const CLIENT = `${CATALOG}/catalog-client.spec.ts`;
const PARSED = `${CATALOG}/parse-catalog.spec.ts`;
const ANSWERS = `${CATALOG}/parsed-answers`;

/** Guards of the catalog callback. */
export const CATALOG_MUTANTS: readonly Mutant[] = [
  {
    name: "a player's id leads to the folder above",
    harm: 'The player `..` is shown what the studio answers at another address, with the key in its header.',
    file: `${CATALOG}/catalog-address.ts`,
    guard: 'if (/^\\.{0,2}$/.test(playerId)) return undefined;',
    without: 'if (playerId === undefined) return undefined;',
    specs: [CALLS],
  },
  {
    name: 'the address of a catalog is not looked at',
    harm: 'An operator names an address in the network of the ledger, and sees what it answers.',
    file: `${CATALOG}/call-catalog.ts`,
    guard: '  if (!target.ok) return',
    without: '  if (!target.ok && url === undefined) return',
    specs: [CALLS],
  },
  {
    name: 'every answer is a catalog, whatever its status',
    harm: 'The page of an error that is JSON is an empty shop.',
    file: `${CATALOG}/call-catalog.ts`,
    guard: 'if (status === 200) return',
    without: 'if (status > 0) return',
    specs: [CALLS],
  },
  {
    name: 'an answer that was cut off is read',
    harm: 'What is beyond the limit is cut off, and the rest is called no JSON: the operator looks for a mistake that is none.',
    file: `${CATALOG}/parse-catalog.ts`,
    guard: 'if (body.length > ANSWER_LIMIT_BYTES) {',
    without: 'if (body.length < 0) {',
    specs: [PARSED],
  },
  {
    name: 'pictures go by the ports of webhooks',
    harm: 'A catalog whose pictures are at a port that webhooks may not go to is none.',
    file: `${CATALOG}/call-catalog.ts`,
    guard: 'return readCatalog(app.appId, body, { allowInsecure });',
    without: 'return parseCatalog(body, { allowInsecure, ports: [[443, 443]] } as never);',
    specs: [CALLS],
  },
  {
    name: 'an answer is known by its length and its sum',
    harm: 'A player is offered what another one was, at the prices of that one.',
    file: `${ANSWERS}.ts`,
    guard: 'if (candidate?.body.equals(body) === true)',
    without: 'if (candidate !== undefined)',
    specs: [`${ANSWERS}.spec.ts`],
  },
  {
    name: 'two items may have one id',
    harm: 'A player buys the one and is charged for the other.',
    file: `${CATALOG}/check-catalog.ts`,
    guard: 'if (other === undefined) this.#pathsById',
    without: 'if (other !== path) this.#pathsById',
    specs: [PARSED],
  },
  {
    name: 'an amount may have more decimals than its currency',
    harm: 'The price of 9.999 is shown as something else than what is charged.',
    file: `${CATALOG}/catalog-shape.ts`,
    guard: 'return fraction.length > decimals',
    without: 'return fraction.length > 99',
    specs: [PARSED],
  },
  {
    name: 'checkouts take an answer that was kept',
    harm: 'A player pays a price that the studio has changed since.',
    file: `${CATALOG}/catalog-client.ts`,
    guard: 'const kept = fresh ? undefined :',
    without: 'const kept = fresh && key === "" ? undefined :',
    specs: [CLIENT],
  },
  {
    name: 'each page makes a call of its own',
    harm: 'A player who loads a page again and again makes as many calls of the studio at once.',
    file: `${CATALOG}/player-calls.ts`,
    guard: '    if (!fresh && running?.what === what) return running.result;\n',
    without: '',
    specs: [CLIENT],
  },
  {
    name: 'a checkout is decided on a call that a page began before',
    harm: 'What the studio changed in the meantime is sold as it was.',
    file: `${CATALOG}/player-calls.ts`,
    guard: '!fresh && ',
    without: '',
    specs: [CLIENT],
  },
  {
    name: 'a catalog that is bad for one player opens the breaker',
    harm: 'A player loads a page five times, and the shop is closed to all others.',
    file: `${CATALOG}/catalog-client.ts`,
    guard: 'if (parsed.ok || NOT_AWAY.includes(parsed.reason)) return false;',
    without: 'if (parsed.ok) return false;',
    specs: [CLIENT],
  },
  {
    name: 'calls of a catalog are not bounded',
    harm: 'A catalog that is slow has a thousand connections and pages of this process.',
    file: `${CATALOG}/call-queue.ts`,
    guard: 'if (!isFree && calls.waiting.length >= CALLS_WAITING) return undefined;',
    without: '',
    specs: [CLIENT],
  },
  {
    name: 'all apps wait in one line',
    harm: 'A catalog that is slow stops the shops of all other studios.',
    file: `${CATALOG}/call-queue.ts`,
    guard: 'this.#apps.get(appId) ??',
    without: '[...this.#apps.values()][0] ??',
    specs: [CLIENT],
  },
  {
    name: 'every failure is recorded',
    harm: 'A catalog that is broken on a busy evening floods the event store.',
    file: `${CATALOG}/recording-budget.ts`,
    guard: 'if (standIn !== undefined && spent.left < 1) return standIn;',
    without: '',
    specs: [CLIENT],
  },
  {
    name: 'a breaker lets all calls through when its time is up',
    harm: 'A backend that comes back is met by all players at once.',
    file: `${CATALOG}/catalog-breakers.ts`,
    guard: 'this.#askAtMs.set(appId, nowMs + BREAKER_ASKED_AGAIN_MS);',
    without: '',
    specs: [`${CATALOG}/catalog-breakers.int.spec.ts`],
  },
];
