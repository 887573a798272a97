import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface NestConfiguration {
  readonly projects: Readonly<Record<string, NestProject>>;
}
interface NestProject {
  readonly type: 'application' | 'library';
  readonly sourceRoot: string;
  readonly entryFile?: string;
  readonly compilerOptions?: { readonly assets: readonly string[] };
}

const { projects } = JSON.parse(readFileSync('nest-cli.json', 'utf8')) as NestConfiguration;
const listProjects = (type: NestProject['type']) =>
  Object.entries(projects).filter(([, project]) => project.type === type);

/** `npm run test:long` builds and starts a program by it (`nest-cli.long.spec.ts`). */
it('nest-cli.json knows each program by the name of its folder', () => {
  const programs = listProjects('application');
  expect(programs.map(([name]) => name).sort()).toEqual(readdirSync('apps').sort());
  for (const [name, { entryFile, compilerOptions }] of programs) {
    // What a program serves from files is copied beside what is compiled.
    const assets = existsSync(`apps/${name}/assets`) ? ['../assets/**/*'] : undefined;
    expect([name, compilerOptions?.assets]).toEqual([name, assets]);
    expect(entryFile).toBe(`apps/${name}/src/main`);
    expect([name, existsSync(`${entryFile}.ts`)]).toEqual([name, true]);
  }
});

/** `nest generate` puts files of a library there. */
it('nest-cli.json knows each library by the name of its folder', () => {
  const sources = listProjects('library').map(([, { sourceRoot }]) => sourceRoot);
  expect(sources.sort()).toEqual(
    readdirSync('libs')
      .map((name) => `libs/${name}/src`)
      .sort(),
  );
});
