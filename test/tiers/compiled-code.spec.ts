import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';

/** The environment of all tiers has set this up for the worker that runs this file. */
describe('what a Jest worker compiles', () => {
  const filename = `/nowhere/${Date.now()}.js`;
  const identifier = `/nowhere/${Date.now()}.mjs`;

  /** Whether what was kept of it was of no use is undefined where nothing was kept. */
  function compile(code: string, params: readonly string[] = ['n']) {
    const compiled = vm.compileFunction(code, params, { filename });
    const { cachedDataRejected } = compiled as { cachedDataRejected?: boolean };
    return { call: compiled as (value: number) => unknown, cachedDataRejected };
  }

  async function load(code: string, options: vm.SourceTextModuleOptions = {}) {
    const module = new vm.SourceTextModule(code, { identifier, ...options });
    await module.link(() => Promise.reject(new Error('it imports nothing')));
    await module.evaluate();
    return module.namespace as { readonly one: object };
  }

  it('is compiled once, and a function is as new each time', () => {
    const [first, second] = [compile('return { n }'), compile('return { n }')];
    expect([first.cachedDataRejected, second.cachedDataRejected]).toEqual([undefined, false]);
    expect(second.call(1)).toEqual(first.call(1));
    expect(second.call(2)).toEqual({ n: 2 });
  });

  it('is compiled again where the text or its parameters are others, though they are of one file', () => {
    for (const [code, result] of [
      ['return { m }', 3] as const,
      ['return { m: m + 1 }', 4] as const,
    ]) {
      const other = compile(code, ['m']);
      expect(other.cachedDataRejected).toBeUndefined();
      expect(other.call(3)).toEqual({ m: result });
    }
  });

  it('may be a module, which is evaluated each time', async () => {
    const code = 'export const one = {}';
    const [first, second] = [await load(code), await load(code)];
    expect(second.one).toEqual({});
    expect(second.one).not.toBe(first.one);
    expect((await load('export const one = { is: 2 }')).one).toEqual({ is: 2 });
  });

  it('may import what it names only when it runs', async () => {
    const code = 'export const one = { imported: await import("node:path") }';
    const another = new vm.SyntheticModule(['default'], () => another.setExport('default', 7));
    const importModuleDynamically = () => another;
    await another.link(() => undefined as never);
    await another.evaluate();
    for (let time = 1; time <= 2; time += 1) {
      expect((await load(code, { importModuleDynamically })).one).toEqual({
        imported: expect.objectContaining({ default: 7 }),
      });
      const compiled = vm.compileFunction('return import("node:path")', [], {
        ...{ filename, importModuleDynamically },
      }) as () => Promise<unknown>;
      expect(await compiled()).toMatchObject({ default: 7 });
    }
  });

  it('is compiled again, and kept again, where V8 refuses what was kept', async () => {
    compile('return n');
    await load('export const one = { is: 3 }');
    setFlagsFromString('--no-opt');
    try {
      const tries = [1, 2, 3].map(() => compile('return n'));
      expect(tries.map(({ cachedDataRejected }) => cachedDataRejected)).toEqual([
        ...[true, undefined, false],
      ]);
      expect(tries.map(({ call }) => call(5))).toEqual([5, 5, 5]);
      expect((await load('export const one = { is: 3 }')).one).toEqual({ is: 3 });
    } finally {
      setFlagsFromString('--opt');
    }
  });
});
