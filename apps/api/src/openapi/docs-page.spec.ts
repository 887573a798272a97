import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { resolveInDocument } from './docs-page.js';

const DOCUMENT = {
  paths: {
    '/plans/{id}': {
      get: { answer: { $ref: '#/components/schemas/Plan', description: 'The plan.' } },
    },
  },
  components: {
    schemas: {
      Plan: {
        description: 'A plan.',
        type: 'object',
        price: { $ref: '#/components/schemas/a~1b~0c' },
      },
      'a/b~c': { type: ['string', 'null'] },
      Tree: { branches: [{ $ref: '#/components/schemas/Tree' }] },
    },
  },
};

/** As the page has it: made from its text, where nothing else of this file is known. */
const inPage = runInNewContext(`(${resolveInDocument.toString()})`) as typeof resolveInDocument;

describe('what the page at /docs shows of a part of the document', () => {
  it('has everything that the part refers to by its name, and what it says itself before that', async () => {
    const path = ['paths', '/plans/{id}', 'get'];
    expect(await inPage(DOCUMENT, path)).toEqual({
      spec: {
        answer: {
          description: 'The plan.',
          type: 'object',
          price: { type: ['string', 'null'], $$ref: '#/components/schemas/a~1b~0c' },
          $$ref: '#/components/schemas/Plan',
        },
      },
      errors: [],
    });
  });

  it('ends where a schema comes back to itself', async () => {
    const tree = '#/components/schemas/Tree';
    expect(await inPage(DOCUMENT, ['components', 'schemas', 'Tree'])).toEqual({
      spec: { branches: [{ branches: [{ $ref: tree }], $$ref: tree }] },
      errors: [],
    });
  });

  it('is nothing where the document has no such part, or refers to none', async () => {
    expect(await inPage(DOCUMENT, ['paths', '/nothing', 'get'])).toEqual({
      spec: undefined,
      errors: [],
    });
    const broken = { part: { $ref: '#/components/missing/one' } };
    expect(await inPage(broken, ['part'])).toEqual({
      spec: { $$ref: '#/components/missing/one' },
      errors: [],
    });
  });
});
