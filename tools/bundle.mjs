/**
 * Makes one file of each program and all that it imports, since Node spends most of a start on finding and linking some
 * two thousand modules (decision 0002). It reads the modules that the compiler has left in dist, and writes dist/programs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const dist = path.resolve(import.meta.dirname, '..', 'dist');
const outdir = path.join(dist, 'programs');

const programs = {
  standalone: 'apps/standalone/src/main.js',
  api: 'apps/api/src/main.js',
  storefront: 'apps/storefront/src/main.js',
  projector: 'apps/projector/src/main.js',
  worker: 'apps/worker/src/main.js',
  bookkeeper: 'apps/bookkeeper/src/main.js',
  'books-files': 'apps/bookkeeper/src/books-files.js',
  'report-writer': 'apps/bookkeeper/src/report-writer.js',
  subledger: 'apps/cli/src/main.js',
  'event-store': 'libs/embedded-event-store/src/main.js',
};

/** Packages that read files beside their code, and those that Nest asks for by name and must find only once. */
const unbundled = [
  ...['@duckdb/node-api', 'lmdb', 'lz4-napi', 'swagger-ui-dist'],
  ...['class-validator', 'class-transformer'],
];
/** Packages that one operation in a thousand needs. */
const seldom = ['@bull-board/api', '@bull-board/api/bullMQAdapter', '@bull-board/fastify'];
/** Packages that frameworks ask for and do without. */
const missing = [
  ...['@as-integrations/fastify', '@fastify/multipart', '@fastify/view', '@grpc/proto-loader'],
  ...['@nestjs/microservices', '@nestjs/mongoose', '@nestjs/platform-express'],
  ...['@nestjs/sequelize', '@nestjs/typeorm', '@nestjs/websockets', '@mikro-orm/core'],
  ...['mongoose', 'msgpackr-extract', 'prettier', 'sequelize', 'typeorm', 'typescript'],
];

/** Lets our modules find the files beside them, such as scripts of Redis, where the compiler has left these. */
const addressesOfModules = {
  name: 'addresses of modules',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](apps|libs|projections)[\\/].*\.js$/ }, async ({ path: file }) => {
      if (!file.startsWith(dist)) return undefined;
      const fromProgram = path.relative(outdir, file).split(path.sep).join('/');
      const address = `new URL(${JSON.stringify(fromProgram)}, import.meta.url).href`;
      const contents = await readFile(file, 'utf8');
      return { contents: contents.replaceAll('import.meta.url', address) };
    });
  },
};

await build({
  entryPoints: Object.entries(programs).map(([out, file]) => ({ in: path.join(dist, file), out })),
  outdir,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  // Node reads a third less at a start, and prints one line of the file where an error is not caught.
  minifyWhitespace: true,
  lineLimit: 160,
  external: [...unbundled, ...seldom, ...missing],
  banner: { js: 'const __address = require("node:url").pathToFileURL(__filename).href;' },
  define: {
    // React is two packages in one: the bundle leaves the one for development out (decision 0037).
    'process.env.NODE_ENV': '"production"',
    'import.meta.url': '__address',
    'import.meta.dirname': '__dirname',
  },
  plugins: [addressesOfModules],
  logLevel: 'warning',
});

await writeFile(path.join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
for (const name of Object.keys(programs)) {
  // Node.js 22 keeps compiled code between starts; Node.js 20 compiles each time.
  const start = `require('node:module').enableCompileCache?.();\nrequire('./${name}.cjs');\n`;
  await writeFile(path.join(outdir, `${name}.js`), start);
}
