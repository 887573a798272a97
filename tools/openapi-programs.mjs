/**
 * The programs that have an OpenAPI document, and the files made of each: with the same tools, from the code and from
 * recorded answers.
 */
export const PROGRAMS = [
  {
    sources: 'apps/api/src',
    tsconfig: 'tools/tsconfig.openapi-api.json',
    document: 'docs/openapi/openapi.json',
    types: 'docs/openapi/client.d.ts',
    released: 'docs/openapi/released.json',
    examples: 'test/contract/golden/examples',
    webhooks: 'test/contract/golden/webhooks',
    /** Has all routes and no connections. */
    unconnected: ['test/integration/api/unconnected-api.js', 'createUnconnectedApi'],
  },
  {
    sources: 'apps/storefront/src',
    tsconfig: 'tools/tsconfig.openapi-storefront.json',
    document: 'docs/openapi/storefront.json',
    types: 'docs/openapi/storefront-client.d.ts',
    released: 'docs/openapi/storefront-released.json',
    examples: 'test/contract/golden/storefront-examples',
    unconnected: [
      'test/integration/storefront/unconnected-storefront.js',
      'createUnconnectedStorefront',
    ],
  },
];
