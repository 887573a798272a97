/** Errors in a method, a path and a query. */
import { ODD_TEXTS } from './hostile-values.js';
import type { Mutation } from './mutation.js';
import type { Random } from './random.js';
import type { Draft } from './samples.js';
import type { Scene } from './scene.js';

export const TARGET_MUTATIONS: readonly Mutation[] = [
  inPath('an odd text in the path', false, (random) => escaped(random.pick(ODD_TEXTS))),
  inPath("another app's or kind's id", false, (random, scene) => random.pick(listIds(scene))),
  changed('odd parts of a path', false, (draft, random) => {
    const parts = draft.path.split('/');
    const at = 1 + random.below(parts.length);
    parts.splice(at, random.below(2), random.pick(ODD_PARTS));
    draft.path = parts.join('/');
    return draft.path;
  }),
  changed('odd addresses', false, (draft, random) => {
    draft.path = random.pick(ODD_PATHS);
    return draft.path;
  }),
  changed('an absolute address', false, (draft) => {
    draft.path = `http://example.com${draft.path}`;
    return draft.path;
  }),
  inQuery('a thousand parameters', true, (query) => [
    ...query,
    ...Array.from({ length: 250 }, (_, n): [string, string] => [`p${n}`, '']),
  ]),
  onParameter('a list for a parameter', true, ([name, value]) => [[`${name}[]`, value]]),
  onParameter('an object for a parameter', true, ([name, value]) => [[`${name}[a]`, value]]),
  onParameter('an odd text for a parameter', false, ([name], random) => [
    [name, escaped(random.pick(ODD_TEXTS))],
  ]),
  inQuery('a page token that was never given', false, (query, random) => [
    ...query.filter(([name]) => name !== 'pageToken'),
    ['pageToken', random.pick(PAGE_TOKENS)],
  ]),
  inQuery('a limit beyond its bounds', false, (query, random) => [
    ...query.filter(([name]) => name !== 'limit'),
    ['limit', random.pick(LIMITS)],
  ]),
];

const ODD_PARTS = [
  '',
  '.',
  '..',
  '%2e',
  '%2e%2e',
  '%2E%2e%2f',
  '%00',
  '%0d%0a',
  '%2f',
  ';a=b',
  '*',
];
const ODD_PATHS = [
  '/',
  '//',
  '*',
  '/docs/./x',
  '/docs/%00',
  '/docs/%2e%2e/%2e%2e/etc/passwd',
  '/docs/../manage/apps',
  '/%64ocs',
  '/sdk',
  '/sdk/',
  '/SDK/PLANS',
  '/sdk/plans/code/',
  '/docs/%2e%2e/index.html',
  '/manage//apps',
  '/openapi.json/',
  '/metrics/..',
  '/healthz%00',
  `/${'a/'.repeat(900)}`,
  `/sdk/plans/${'x'.repeat(4000)}`,
  '/sdk/plans#fragment',
  '/sdk/plans?',
  '/sdk/plans?&&=&',
  '/sdk/plans?=1',
];
const PAGE_TOKENS = ['x', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAA', '%00', 'x'.repeat(1500), 'null', '..%2F'];
const LIMITS = [
  '0',
  '101',
  '-1',
  '1.5',
  '1e1',
  '0x10',
  '',
  'NaN',
  '9'.repeat(30),
  '+5',
  '%205',
  '05',
];

/** Ids of things of other apps and other kinds; an app itself is no other's: see `appFor`. */
function listIds({ main, spare }: Scene): readonly string[] {
  const of = (app: Scene['main']) => [
    app.planId,
    app.subscriptionId,
    app.paymentId,
    app.linkId,
    app.endpointId,
    app.tokenId,
  ];
  return [...of(main), ...of(spare)];
}

/** As an address may hold it: long texts are cut to the limit of addresses. */
function escaped(text: string): string {
  return encodeURIComponent(text.slice(0, 300));
}

function changed(
  name: string,
  isRefused: boolean,
  change: (draft: Draft, random: Random) => string,
): Mutation {
  return {
    name,
    isRefused,
    apply: (draft, random) => `${name}: ${change(draft, random).slice(0, 60)}`,
  };
}

/** In the place of one of the ids and names in a path. */
function inPath(
  name: string,
  isRefused: boolean,
  textFrom: (random: Random, scene: Scene) => string,
): Mutation {
  return {
    name,
    isRefused,
    apply: (draft, random, scene) => {
      const template = draft.operation.path.split('/');
      const variable = [...template.keys()].filter((at) => template[at]?.startsWith('{') === true);
      const parts = draft.path.split('/');
      // Another mutation may have made another path of it.
      if (variable.length === 0 || parts.length !== template.length) return undefined;
      parts[random.pick(variable)] = textFrom(random, scene);
      draft.path = parts.join('/');
      return name;
    },
  };
}

type Query = Draft['query'];

function inQuery(
  name: string,
  isRefused: boolean,
  change: (query: Query, random: Random) => Query,
): Mutation {
  return {
    name,
    // Links to pages for people get decorated on their way.
    isRefused,
    apply: (draft, random) => {
      if (draft.operation.isPage) return undefined;
      draft.query = change(draft.query, random);
      return name;
    },
  };
}

function onParameter(
  name: string,
  isRefused: boolean,
  change: (one: readonly [string, string], random: Random) => Query,
): Mutation {
  return {
    name,
    isRefused,
    apply: (draft, random) => {
      if (draft.query.length === 0) return undefined;
      const chosen = random.pick(draft.query);
      draft.query = draft.query.flatMap((one) => (one === chosen ? change(one, random) : [one]));
      return `${name} ${chosen[0]}`;
    },
  };
}
