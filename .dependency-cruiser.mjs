import { readFileSync } from 'node:fs';

/** The doors of libraries, by which others enter them, are the imports in package.json. */
const { imports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const doors = Object.values(imports)
  .map(({ source }) => source.replace('./', '').replaceAll('.', '\\.'))
  .filter((source) => source.startsWith('libs/') && !source.includes('*'));

/** The architecture as rules that docs and reviewers would otherwise have to remember. */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'A cycle of classes fails at start in ESM, and a cycle of thoughts fails readers.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circles-of-folders',
      comment:
        'Modules have one direction: a folder that imports its sibling and is imported by it is one folder, or hides a third.',
      severity: 'error',
      scope: 'folder',
      from: { pathNot: '/spec-support$' },
      to: { circular: true, pathNot: '/spec-support$' },
    },
    {
      name: 'domain-is-pure',
      comment: 'The domain decides without doing: no framework, no I/O, no clock, no random.',
      severity: 'error',
      from: {
        path: '^(libs/domain|projections|libs/webhooks|libs/seal|libs/projection-engine/src/define)/',
        pathNot: '\\.spec\\.ts$',
      },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'core'],
        pathNot: [
          'node_modules/@noble/hashes/',
          'node_modules/dinero\\.js/',
          'node_modules/fast-equals/',
          'node_modules/luxon/',
          'node_modules/@types/luxon/',
          '^(node:)?crypto$',
        ],
      },
    },
    {
      name: 'domain-knows-only-itself',
      severity: 'error',
      from: { path: '^libs/domain/' },
      to: { path: '^(apps|projections|test|libs/(?!domain/))' },
    },
    {
      name: 'evidence-knows-only-itself',
      comment:
        'An auditor can read the code of seals alone: it knows neither the domain nor an event store.',
      severity: 'error',
      from: { path: '^libs/seal/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(apps|projections|test|libs/(?!seal/))' },
    },
    {
      name: 'only-webhooks-and-no-domain-may-hash',
      comment: 'Signing is pure, but it is the libraries of webhooks and of seals that sign.',
      severity: 'error',
      from: { path: '^(libs/domain|projections)/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'projections-have-no-side-effects',
      severity: 'error',
      from: { path: '^projections/' },
      to: {
        path: '^(apps|test)/|^libs/(event-store|embedded-event-store|gateway|projection-engine|redis)/',
        pathNot: '^libs/projection-engine/src/define/',
      },
    },
    {
      name: 'apps-import-no-apps',
      comment: 'What two apps share is a library.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'libs-import-no-apps',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'only-standalone-knows-the-embedded-store',
      severity: 'error',
      from: {
        path: '^(apps|libs|projections)/',
        pathNot: '^(apps/standalone|libs/embedded-event-store)/',
      },
      to: { path: '^libs/embedded-event-store/' },
    },
    {
      name: 'only-the-client-folder-knows-the-official-client',
      comment:
        'Its private parts are touched in one folder, so that a new version of it changes nothing elsewhere.',
      severity: 'error',
      from: {
        path: '^(apps|libs|projections)/',
        pathNot: ['^libs/event-store/src/client/', '^libs/embedded-event-store/', '\\.spec\\.ts$'],
      },
      to: { path: 'node_modules/(@eventstore/db-client|@grpc/grpc-js)/' },
    },
    {
      name: 'only-the-books-know-duckdb',
      comment: 'Its binary takes memory: one file loads it, when books are written or read.',
      severity: 'error',
      from: { pathNot: ['^libs/books/src/duckdb\\.ts$', '\\.spec\\.ts$'] },
      to: { path: 'node_modules/@duckdb/' },
    },
    {
      name: 'the-books-are-of-bookkeepers-and-commands',
      comment:
        'Programs that sell and deliver ask a bookkeeper, so that none of them loads DuckDB.',
      severity: 'error',
      from: {
        path: '^(apps|libs|projections)/',
        pathNot: '^(apps/(bookkeeper|cli)|libs/(books|finance))/',
      },
      to: { path: '^libs/books/' },
    },
    {
      name: 'libraries-are-entered-by-their-doors',
      severity: 'error',
      from: { path: '^(apps|projections|test)/', pathNot: '^test/(bench|contract|support)/' },
      to: {
        path: '^libs/(?!domain/)',
        pathNot: `^(${doors.join('|')})$`,
      },
    },
    {
      name: 'sources-import-no-tests',
      severity: 'error',
      from: { path: '^(apps|libs|projections)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^test/|\\.spec\\.ts$' },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      // Types alone, which are generated: there is no module of this name.
      to: { couldNotResolve: true, pathNot: '^../../docs/openapi/(storefront-)?client\\.js$' },
    },
    {
      name: 'not-to-dev-dependencies',
      severity: 'error',
      from: { path: '^(apps|libs|projections)/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'require', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
