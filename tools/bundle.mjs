/**
 * Makes one file of each program and all that it imports: Node spends most of a start on finding and
 * linking some two thousand modules (decision 0057). Takes what the compiler left in dist, and
 * writes dist/programs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { compileAtWork } from './compile-at-work.mjs';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const outdir = path.join(dist, 'programs');

const programs = {
  standalone: 'apps/standalone/src/main.js',
  api: 'apps/api/src/main.js',
  storefront: 'apps/storefront/src/main.js',
  projector: 'apps/projector/src/main.js',
  worker: 'apps/worker/src/main.js',
  subledger: 'apps/cli/src/main.js',
  'event-store': 'libs/embedded-event-store/src/main.js',
};

/** A program that has not ended by then waits for something. */
const LOAD_LIMIT_MS = 60_000;

/** Packages with files of their own beside their code, or that frameworks ask for and do without. */
const external = [
  'msgpackr-extract',
  'swagger-ui-dist',
  '@bull-board/api',
  '@bull-board/api/bullMQAdapter',
  '@bull-board/fastify',
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

/** What modules take for granted, in files that are none: Node compiles modules anew at each start. */
const banner = `"use strict"; const __address = require("node:url").pathToFileURL(__filename).href;`;

/** Its modules load native code that lies beside them. */
const OF_LMDB = /[\\/]node_modules[\\/]lmdb[\\/][^\\/]+$/;
const OF_ADDRESSES = new RegExp(
  `[\\\\/]dist[\\\\/](apps|libs|projections)[\\\\/]|${OF_LMDB.source}`,
);

/**
 * Our modules, and those of lmdb, find the files beside them by `import.meta.url`, which is to stay what it was. Only the
 * standalone asks for a folder, the one in which the programs are.
 */
const ownAddresses = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: OF_ADDRESSES }, async ({ path: file }) => {
      if (!file.startsWith(dist) && !OF_LMDB.test(file)) return undefined;
      const contents = await readFile(file, 'utf8');
      const asksForFolder = /import\.meta\.(dirname|filename)/.test(contents);
      if (asksForFolder && !file.endsWith(path.join('standalone', 'src', 'programs.js'))) {
        return { errors: [{ text: `${file}: here, import.meta.url alone stays what it was` }] };
      }
      const fromHere = path.relative(outdir, file).split(path.sep).join('/');
      const address = `new URL(${JSON.stringify(fromHere)}, import.meta.url).href`;
      return { contents: contents.replaceAll('import.meta.url', address) };
    });
  },
};

/** What modules of packages say that costs each start dear, and what they say in a bundle. */
const amendments = [
  {
    // Modules of Nest make a `require` of their own, with which they would load bundled packages again.
    filter: /[\\/]@nestjs[\\/].*\.js$/,
    says: 'const require = createRequire(import.meta.url);',
    instead: '',
  },
  {
    // V8 adds 600 methods to a prototype in 14 ms, and to one that was a table before in half of one (decision 0173).
    filter: /[\\/]ioredis[\\/]built[\\/]utils[\\/]Commander\.js$/,
    says: 'commands.push("sentinel");',
    instead: `commands.push("sentinel");
Commander.prototype.any = undefined;
delete Commander.prototype.any;`,
  },
  {
    // The first format that a process makes takes 15 ms, and most processes write no line by this one (decision 0173).
    filter: /[\\/]@nestjs[\\/]common[\\/]services[\\/](console-)?logger\.service\.js$/,
    says: 'const dateTimeFormatter = new Intl.DateTimeFormat(undefined, {',
    instead: `const dateTimeFormatter = { format: (at) => new Intl.DateTimeFormat(undefined, dateTimeForm).format(at) };
const dateTimeForm = ({`,
  },
];

const amended = {
  name: 'amended modules',
  setup({ onLoad, onEnd }) {
    const found = new Set();
    for (const { filter, says, instead } of amendments) {
      onLoad({ filter }, async ({ path: file }) => {
        const contents = await readFile(file, 'utf8');
        if (!contents.includes(says)) return undefined;
        found.add(says);
        return { contents: contents.replace(says, instead) };
      });
    }
    onEnd(({ errors }) => {
      const missing = amendments.filter(({ says }) => !found.has(says));
      if (errors.length > 0 || missing.length === 0) return undefined;
      return {
        errors: missing.map(({ filter, says }) => ({
          text: `no module of ${filter} says "${says}" any more: see what it says now`,
        })),
      };
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
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  // Code that was compiled before has lost whom to ask for a module.
  supported: { 'dynamic-import': false },
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  // Node reads half as much at a start; the maps lead back, and a line stays one that can be printed.
  minifyWhitespace: true,
  lineLimit: 160,
  banner: { js: banner },
  external,
  // React is two packages in one: what is not for production is left out (decision 0081).
  define: {
    'process.env.NODE_ENV': '"production"',
    'import.meta.url': '__address',
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
  plugins: [ownAddresses, amended],
  logLevel: 'warning',
});

for (const file of ['run-bundle.cjs', 'keep-compiled.mjs']) {
  await copyFile(path.join(root, 'tools', file), path.join(outdir, file));
}
// Code is compiled for the flags by which the standalone starts a program, and for none.
const { listNodeFlags } = await import('../dist/apps/standalone/src/node-flags.js');
await writeFile(path.join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
for (const name of Object.keys(programs)) {
  const start = `require('./run-bundle.cjs').runBundle('${name}.cjs');\n`;
  await writeFile(path.join(outdir, `${name}.js`), start);
}
await Promise.all(
  Object.keys(programs).flatMap((name) => {
    const flags = listNodeFlags(name);
    return flags.length === 0 ? [compile(name, [])] : [compile(name, []), compile(name, flags)];
  }),
);

await compileAtWork(outdir);

/** Runs a program without settings, by which it ends at once, and writes what V8 has compiled of it by then. */
async function compile(name, flags) {
  const compiler = path.join(root, 'tools', 'compile-bundle.mjs');
  const args = [...flags, compiler, path.join(outdir, `${name}.cjs`), '--help'];
  const env = { PATH: process.env.PATH };
  const child = spawn(process.execPath, args, {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), LOAD_LIMIT_MS);
  const [[exitCode], written] = await Promise.all([once(child, 'close'), text(child.stdio[3])]);
  clearTimeout(timer);
  if (written === 'written') return;
  throw new Error(`${name} was loaded to be compiled, and ended with ${exitCode}`);
}
