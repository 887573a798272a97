/**
 * Brings a fresh clone to the point where the other scripts can run: node packages, redis-server,
 * a build. It uses Node's standard library alone, since it runs before anything is installed, and
 * does nothing that is already done.
 *
 * Options: --no-services (redis is not needed), --no-build (the built programs are not needed),
 * --browser-alone (Chromium and nothing else, for the tests that look at pages: they ask themselves),
 * --go-alone, --go-mod-alone, --php-alone and --promtool-alone (the same for the tests of the documented Go, of seals by Go's
 * own libraries, of PHP and of alerts), --hledger-alone, --ledger-alone and --beancount-alone (of journals), --nginx-alone and its like (the same for the tests behind proxies, each by the name of its program).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';

const root = path.resolve(import.meta.dirname, '..');
/** The programs of the proxies in `docs/operations.md`, and the Debian packages that have them. */
const PROXIES = {
  nginx: 'nginx-light',
  apache2: 'apache2',
  haproxy: 'haproxy',
  varnishd: 'varnish',
  lighttpd: 'lighttpd',
  caddy: 'caddy',
  squid: 'squid',
};
/** The programs that read journals as text, and the Debian packages that have them. */
const ACCOUNTING = { hledger: 'hledger', ledger: 'ledger', 'bean-check': 'beancount' };
const REDIS = {
  programs: ['redis-server'],
  debianPackage: 'redis-server',
  advice: 'redis-server is not on the PATH. Install it (Debian: "apt-get install redis-server").',
};
/** Programs that tests ask for by `--NAME-alone`: any of them does, and the package is that of the first one; or files. */
const FOR_TESTS = {
  // The first one has no windows of its own, and starts in half the time.
  browser: {
    programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    debianPackage: 'chromium-headless-shell',
    advice:
      'The tests of pages need Chromium. Install it (Debian: "apt-get install chromium-headless-shell") or set CHROMIUM to its path.',
  },
  go: {
    programs: ['go'],
    debianPackage: 'golang-go',
    advice:
      'The test of what docs/webhooks.md shows in Go needs a compiler. Install Go 1.19 or newer (Debian: "apt-get install golang-go").',
  },
  'go-mod': {
    programs: [],
    files: ['/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog'],
    debianPackage: 'golang-golang-x-mod-dev',
    advice:
      'The test of seals by Go needs its libraries for transparency logs. Install them (Debian: "apt-get install golang-golang-x-mod-dev").',
  },
  php: {
    programs: ['php'],
    debianPackage: 'php-cli',
    advice:
      'The test of what docs/webhooks.md shows in PHP needs it. Install PHP 8.1 or newer (Debian: "apt-get install php-cli").',
  },
  promtool: {
    programs: ['promtool'],
    debianPackage: 'prometheus',
    advice:
      'The test of the alerts in docs/operations.md needs promtool. Install it (Debian: "apt-get install prometheus").',
  },
  ...Object.fromEntries(
    Object.entries(ACCOUNTING).map(([program, debianPackage]) => [
      debianPackage,
      {
        programs: [program],
        debianPackage,
        advice: `The test of journals by ${program} needs it. Install it (Debian: "apt-get install ${debianPackage}").`,
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(PROXIES).map(([program, debianPackage]) => [
      program,
      {
        programs: [program],
        debianPackage,
        advice: `The test behind ${program} needs it. Install it (Debian: "apt-get install ${debianPackage}").`,
      },
    ]),
  ),
};
/** Debian has its servers here, which is on the PATH of root alone. */
const SERVERS = '/usr/sbin';
const options = new Set(process.argv.slice(2));
const alone = Object.keys(FOR_TESTS).find((name) => options.has(`--${name}-alone`));
const installedStamp = path.join(root, 'node_modules', '.subledger-installed');

try {
  if (alone) install(FOR_TESTS[alone]);
  else {
    checkNode();
    installPackages();
    if (!options.has('--no-services')) install(REDIS);
    if (!options.has('--no-build')) build();
  }
} catch (error) {
  console.error(`\nsubledger: ${error.message}`);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if ((major === 20 && minor >= 19) || major > 22 || (major === 22 && minor >= 12)) return;
  throw new Error(
    `Node 20.19 or newer of 20, or 22.12 or newer, is needed; this is ${process.versions.node}. Install it and run the command again.`,
  );
}

function installPackages() {
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(installedStamp) && readFileSync(installedStamp, 'utf8') === wanted) return;
  say('installing node packages (npm ci) ...');
  // The engine warnings are of development tools that run on Node 20 all the same.
  run(
    'npm',
    ['ci', '--loglevel=error'],
    'The node packages could not be installed; npm says above why.',
  );
  writeFileSync(installedStamp, wanted);
}

/** Has one of the programs on the PATH, by apt where we may install. */
function install({ programs, files = [], debianPackage, advice }) {
  const isHere =
    programs.some((name) => found(name) || existsSync(path.join(SERVERS, name))) ||
    files.some((file) => existsSync(file));
  if (isHere || (alone === 'browser' && process.env.CHROMIUM)) return;
  if (process.getuid?.() !== 0 || !found('apt-get')) throw new Error(advice);
  say(`installing ${debianPackage} (apt-get) ...`);
  const apt = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  // Tests run side by side, and two of them may find the same thing missing.
  const lock = path.join(root, 'node_modules', '.subledger-apt.lock');
  const aptGet = (...args) => quietly('flock', [lock, 'apt-get', ...args], apt);
  const install = ['install', '-y', '-qq', '--no-install-recommends', debianPackage];
  if (aptGet(...install)) return;
  aptGet('update', '-qq');
  if (!aptGet(...install)) throw new Error(advice);
}

function found(program) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .some((folder) => folder && existsSync(path.join(folder, program)));
}

function run(program, args, advice) {
  const { status } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(advice);
}

function quietly(program, args, extra) {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], ...extra });
    return true;
  } catch {
    return false;
  }
}

/** On stderr: the output of the program that is started afterwards belongs to its reader. */
function say(text) {
  console.error(`subledger: ${text}`);
}
