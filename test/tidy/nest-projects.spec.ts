import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

interface NestConfiguration {
  readonly projects: Readonly<Record<string, NestProject>>;
}
interface NestProject {
  readonly entryFile: string;
  readonly compilerOptions?: { readonly assets: readonly string[] };
}

/** `npm run test:long` builds and starts a program by it (`nest-cli.long.spec.ts`). */
it('nest-cli.json knows each program by the name of its folder', () => {
  const { projects } = JSON.parse(readFileSync('nest-cli.json', 'utf8')) as NestConfiguration;
  expect(Object.keys(projects).sort()).toEqual(readdirSync('apps').sort());
  for (const [name, { entryFile, compilerOptions }] of Object.entries(projects)) {
    // What a program serves from files is copied beside what is compiled.
    const assets = existsSync(`apps/${name}/assets`) ? ['../assets/**/*'] : undefined;
    expect([name, compilerOptions?.assets]).toEqual([name, assets]);
    expect(entryFile).toBe(`apps/${name}/src/main`);
    expect([name, existsSync(`${entryFile}.ts`)]).toEqual([name, true]);
  }
});
