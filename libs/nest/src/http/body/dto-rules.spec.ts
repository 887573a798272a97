import { describe, expect, it } from 'vitest';
import { IsString } from 'class-validator';
import { ApiError } from '../answer/api-error.js';
import {
  AllOmittable,
  NestedList,
  NestedObject,
  Omittable,
  OmittableOrEmpty,
  OmittableOrNull,
} from './dto-rules.js';
import { RequestValidationPipe } from './validation.js';

class Item {
  @IsString({ message: 'must be a string' })
  id!: string;
}

class Body {
  @NestedObject(() => Item)
  user!: Item;

  @NestedList(() => Item, { min: 1, max: 3 })
  items!: Item[];

  @Omittable()
  @IsString({ message: 'must be a string' })
  name?: string;

  @OmittableOrEmpty()
  @IsString({ message: 'must be a string' })
  from?: string;

  @OmittableOrNull()
  @IsString({ message: 'must be a string' })
  limit?: string | null;

  @Omittable()
  @NestedObject(() => Item)
  extra?: Item;
}

class Change extends AllOmittable(Body) {}

const pipe = new RequestValidationPipe();
const good = { user: { id: 'u' }, items: [{ id: 'i' }] };

/** The bad fields of a body, with why. */
async function violationsIn(body: unknown, metatype: new () => object = Body): Promise<string[]> {
  try {
    await pipe.transform(body, { type: 'body', metatype });
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.fieldViolations.map(({ field, description }) => `${field} ${description}`);
  }
}

describe('a field that may be left out', () => {
  it('is left out or good, and no more than that', async () => {
    expect(await violationsIn(good)).toEqual([]);
    expect(await violationsIn({ ...good, name: 'a', from: 'b', extra: { id: 'e' } })).toEqual([]);
    expect(await violationsIn({ ...good, from: '', limit: null })).toEqual([]);
    expect(await violationsIn({ ...good, from: null, limit: '' })).toEqual([
      'from must be a string',
    ]);
  });

  it('is not null, which would be neither left out nor off', async () => {
    expect(await violationsIn({ ...good, name: null, from: null, extra: null })).toEqual([
      'name must be a string',
      'from must be a string',
      'extra must be an object',
    ]);
  });

  it('is not null in a change either', async () => {
    expect(await violationsIn({}, Change)).toEqual([]);
    const nulls = { user: null, items: null, name: null, from: null, extra: null };
    const violations = await violationsIn(nulls, Change);
    expect(violations.map((violation) => violation.split(' ')[0]).sort()).toEqual(
      Object.keys(nulls).sort(),
    );
  });
});

describe('an object', () => {
  it.each([[[]], [[{ id: 'u' }]], [null], ['u'], [1], [true]])('is not %j', async (user) => {
    expect(await violationsIn({ ...good, user })).toEqual(['user must be an object']);
  });

  it('is not left out unless it may be, and is judged field by field', async () => {
    expect(await violationsIn({ items: good.items })).toEqual(['user must be an object']);
    expect(await violationsIn({ ...good, user: { id: [], x: 1 } })).toEqual([
      'user.x is not a field of this request',
      'user.id must be a string',
    ]);
  });
});

describe('a list of objects', () => {
  it.each([
    [{}, 'must be a list of objects'],
    [{ length: 1 }, 'must be a list of objects'],
    ['ab', 'must be a list of objects'],
    [null, 'must be a list of objects'],
    [[], 'must hold at least 1 of them'],
    [Array<object>(4).fill({ id: 'i' }), 'must hold at most 3 of them'],
    [[[]], 'must hold objects only, which entry 0 is not'],
    [[{ id: 'i' }, null], 'must hold objects only, which entry 1 is not'],
    [[{ id: 'i' }, 'i'], 'must hold objects only, which entry 1 is not'],
  ])('is not %j', async (items, why) => {
    expect(await violationsIn({ ...good, items })).toEqual([`items ${why}`]);
  });

  it('is judged entry by entry', async () => {
    expect(await violationsIn({ ...good, items: [{ id: 'i' }, { id: 1 }, {}] })).toEqual([
      'items.1.id must be a string',
      'items.2.id must be a string',
    ]);
  });
});

describe('a body of many violations', () => {
  it('is refused with a hundred of them and the number of the others', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`k${at}`, null]));
    const refused = pipe.transform({ ...good, ...unknown }, { type: 'body', metatype: Body });
    const error: unknown = await refused.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ metadata: { moreFieldViolations: '150' } });
    expect(error).toHaveProperty('fieldViolations.length', 100);
    expect(error).toHaveProperty('message', expect.stringMatching(/ k9 and 240 more\.$/));
  });

  it('is refused with names that are short enough to be said back', async () => {
    const [violation = ''] = await violationsIn({
      ...good,
      [`${'k'.repeat(99)}😀${'k'.repeat(900)}`]: 1,
    });
    expect(violation).toBe(`${'k'.repeat(99)}... is not a field of this request`);
  });
});
