import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lightenBind } from './light-bind.js';

const { prototype } = AsyncResource;
const readBind = () => Object.getOwnPropertyDescriptor(prototype, 'bind');
const before = readBind();

beforeEach(() => {
  lightenBind();
});
afterEach(() => {
  Object.defineProperty(prototype, 'bind', { ...before });
});

describe('a function that is bound to an asynchronous context', () => {
  it('runs in it, with what it is called with', () => {
    const context = new AsyncLocalStorage<string>();
    const resource = context.run('of the request', () => new AsyncResource('request'));
    const called = { by: 'caller' };
    function add(this: unknown, one: number, other: number) {
      return [this, one + other, context.getStore()];
    }
    const bound = resource.bind(add);
    const found = context.run('of the caller', () => bound.call(called, 1, 2));
    expect(found).toEqual([called, 3, 'of the request']);
    expect(bound).toHaveLength(2);
    // Node takes what stands for `this` as well, of which its types say nothing.
    const withThis = resource.bind.bind(resource) as (fn: typeof add, that: string) => typeof add;
    expect(withThis(add, 'another')(1, 2)).toEqual(['another', 3, 'of the request']);
    expect(withThis(add, 'another')).toHaveLength(2);
    // Node shows each promise of whatever runs after this to a storage that was used.
    context.disable();
  });

  it('has no property of its own that only an older Node.js gives it', () => {
    expect('asyncResource' in new AsyncResource('request').bind(() => undefined)).toBe(false);
  });

  it('is bound as Node.js does where that is as light', () => {
    const light = (fn: unknown) => fn;
    Object.defineProperty(prototype, 'bind', { ...before, value: light });
    lightenBind();
    expect(readBind()?.value).toBe(light);
  });

  it('throws what it throws', () => {
    const failing = new AsyncResource('request').bind(() => {
      throw new Error('of the function');
    });
    expect(failing).toThrow('of the function');
  });
});
