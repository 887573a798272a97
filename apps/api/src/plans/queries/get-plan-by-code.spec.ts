import { beforeEach, describe, expect, it } from 'vitest';
import type { ReadModels } from '#projection-engine';
import type { DocumentReads } from '#projection-engine/define';
import { plans } from '#projections';
import { GetPlanByCode, GetPlanByCodeHandler } from './read-plans.js';

/** The questions that Redis was asked. */
const asked: unknown[] = [];

// The query calls these readers alone.
const empty = {
  page: async (...page: unknown[]) => {
    asked.push(page);
    return { documents: [], nextAfter: undefined };
  },
} as unknown as DocumentReads<never>;
const readModels = { ask: () => plans.queries(empty) } as unknown as ReadModels;
const handler = new GetPlanByCodeHandler(readModels);
const find = (code: string) => handler.execute(new GetPlanByCode('app_1', code));

beforeEach(() => {
  asked.length = 0;
});

describe('a plan by its code', () => {
  it.each([
    ['no text', ''],
    ['of two words', 'no such'],
    ['a path', '../gold'],
    ['of other letters', '\u2603'],
    ['too long', 'x'.repeat(65)],
    ['as long as an address', 'x'.repeat(8_000)],
  ])('is not looked for where the code is %s', async (_, code) => {
    await expect(find(code)).rejects.toMatchObject({ status: 'NOT_FOUND' });
    expect(asked).toEqual([]);
  });

  it('is looked for under any code that a plan can have, and is not remembered', async () => {
    const code = 'x'.repeat(64);
    await expect(find(code)).rejects.toMatchObject({ status: 'NOT_FOUND' });
    expect(asked).toEqual([[[['code', 'app_1', 'default', code]], { id: 'app_1' }, { limit: 1 }]]);
  });
});
