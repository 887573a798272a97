/**
 * Makes one file of each program and all that it imports: Node spends most of a start on finding and
 * linking some two thousand modules (decision 0057). Takes what the compiler left in dist, and
 * writes dist/programs.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const outdir = path.join(dist, 'programs');

const programs = {
  standalone: 'apps/standalone/src/main.js',
  api: 'apps/api/src/main.js',
  projector: 'apps/projector/src/main.js',
  worker: 'apps/worker/src/main.js',
  subledger: 'apps/cli/src/main.js',
  'event-store': 'libs/embedded-event-store/src/main.js',
};

/** Packages with files of their own beside their code, or that frameworks ask for and do without. */
const external = [
  'lmdb',
  'msgpackr-extract',
  'swagger-ui-dist',
  '@as-integrations/fastify',
  '@fastify/multipart',
  '@fastify/view',
  '@grpc/proto-loader',
  '@nestjs/microservices',
  '@nestjs/mongoose',
  '@nestjs/platform-express',
  '@nestjs/sequelize',
  '@nestjs/typeorm',
  '@nestjs/websockets',
  '@mikro-orm/core',
  'class-transformer/storage',
  'mongoose',
  'prettier',
  'sequelize',
  'typeorm',
  'typescript',
];

/** What CommonJS packages take for granted, in files that are modules. */
const banner = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);
const __filename = import.meta.filename;
const __dirname = import.meta.dirname;`;

/** Our modules find the files beside them by their own address, which is to stay what it was. */
const ownAddresses = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]dist[\\/](apps|libs|projections)[\\/]/ }, async ({ path: file }) => {
      if (!file.startsWith(dist)) return undefined;
      const fromHere = path.relative(outdir, file).split(path.sep).join('/');
      const address = `new URL(${JSON.stringify(fromHere)}, import.meta.url).href`;
      const contents = await readFile(file, 'utf8');
      return { contents: contents.replaceAll('import.meta.url', address) };
    });
  },
};

/** One package makes a `require` of its own, with which it would load what is in the bundle again. */
const noSecondCopies = {
  name: 'no second copies',
  setup({ onLoad }) {
    const own = 'const require = createRequire(import.meta.url);';
    onLoad({ filter: /mapped-types.dist.type-helpers\.utils\.js$/ }, async ({ path: file }) => {
      const contents = await readFile(file, 'utf8');
      if (contents.includes(own)) return { contents: contents.replace(own, '') };
      return { errors: [{ text: `${file} has no "${own}" any more: look how it loads packages` }] };
    });
  },
};

const entryPoints = Object.entries(programs).map(([out, file]) => ({
  in: path.join(dist, file),
  out,
}));
await build({
  entryPoints,
  outdir,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  banner: { js: banner },
  external,
  plugins: [ownAddresses, noSecondCopies],
  logLevel: 'warning',
});
