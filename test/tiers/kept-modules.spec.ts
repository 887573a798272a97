import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';

interface Exports {
  readonly one: object;
  readonly load: () => Promise<unknown>;
}

/** The environment of all tiers has set this up for the worker that runs this file. */
describe('a module of the sources', () => {
  const CODE = 'export const one = {}; export const load = () => import("./other.js");';
  const identifier = `/nowhere/libs/${Date.now()}.ts`;

  async function load(code: string, file = identifier, other: object = {}): Promise<Exports> {
    const importModuleDynamically = () => other as vm.Module;
    const options = { identifier: file, importModuleDynamically };
    const module = new vm.SourceTextModule(code, options);
    if (module.status === 'unlinked') {
      await module.link(() => Promise.reject(new Error('it imports nothing')));
      await module.evaluate();
    }
    return module.namespace as unknown as Exports;
  }

  it('is loaded once for all files that a Jest worker runs', async () => {
    expect(await load(CODE)).toBe(await load(CODE));
  });

  it('is loaded again where its text is another', async () => {
    const { one } = await load(CODE);
    expect((await load(`${CODE} `)).one).not.toBe(one);
  });

  it.each([
    ['a spec', '/nowhere/libs/one.spec.ts'],
    ['the support of specs', '/nowhere/libs/domain/spec-support/one.ts'],
    ['no part of the sources', '/nowhere/test/one.ts'],
  ])('is kept unless it is %s', async (_, file) => {
    expect((await load(CODE, file)).one).not.toBe((await load(CODE, file)).one);
  });

  it('asks the file that runs for what it imports later', async () => {
    const kept = await load(CODE, identifier, { of: 'an earlier file' });
    const other = new vm.SyntheticModule(['of'], () => other.setExport('of', 'this file'));
    await other.link(() => Promise.reject(new Error('it imports nothing')));
    await other.evaluate();
    expect(await load(CODE, identifier, other)).toBe(kept);
    expect(await kept.load()).toMatchObject({ of: 'this file' });
  });
});
