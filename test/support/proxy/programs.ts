import process from 'node:process';
import {
  type ProxyName,
  type ProxyPlace,
  readApacheModules,
  readAwayFile,
  readVarnishOptions,
} from './page.js';

/** The options of a proxy beyond the page's configuration, to run in the foreground for a test alone. */
export interface ProxyProgram {
  readonly command: string;
  /** @param file the configuration's. */
  readonly args: (file: string, place: ProxyPlace) => readonly string[];
  readonly wrap: (configuration: string, place: ProxyPlace) => string;
  /** Further files in its folder. */
  readonly files?: () => Readonly<Record<string, string>>;
}

const asItIs = (configuration: string) => configuration;

export const PROXY_PROGRAMS: Readonly<Record<ProxyName, ProxyProgram>> = {
  nginx: {
    command: 'nginx',
    args: (file, { dir }) => ['-p', dir, '-c', file, '-e', 'stderr'],
    wrap: (configuration, { dir }) =>
      [
        'daemon off; master_process off;',
        `pid ${dir}/pid; error_log stderr warn;`,
        'events {}',
        'http {',
        'access_log off;',
        ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
          (of) => `${of}_temp_path ${dir}/${of};`,
        ),
        configuration,
        '}',
      ].join('\n'),
  },
  apache: {
    command: 'apache2',
    args: (file, { dir }) => ['-d', dir, '-f', file, '-DFOREGROUND'],
    wrap: (configuration, { dir, port }) =>
      [
        // The last ones are on wherever Debian's Apache runs.
        ...[...readApacheModules(), 'mpm_event', 'authz_core', 'mime'].map(
          (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
        ),
        `Listen 127.0.0.1:${port}`,
        'ServerName api.example',
        `PidFile ${dir}/pid`,
        `DefaultRuntimeDir ${dir}`,
        'TypesConfig /etc/mime.types',
        `ErrorLog ${dir}/error.log`,
        // It refuses to serve as root.
        ...(isRoot() ? ['User www-data', 'Group www-data'] : []),
        configuration,
      ].join('\n'),
    files: () => ({ 'away.json': readAwayFile() }),
  },
  haproxy: { command: 'haproxy', args: (file) => ['-db', '-f', file], wrap: asItIs },
  varnish: {
    command: 'varnishd',
    args: (file, { dir, port }) => [
      ...['-F', '-j', 'none', '-n', `${dir}/work`, '-s', 'malloc,16m'],
      ...['-a', `127.0.0.1:${port}`, '-f', file, ...readVarnishOptions()],
    ],
    wrap: asItIs,
  },
  lighttpd: {
    command: 'lighttpd',
    args: (file) => ['-D', '-f', file],
    wrap: (configuration) => `${configuration}\nserver.bind = "127.0.0.1"\n`,
  },
  caddy: {
    command: 'caddy',
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    wrap: (configuration, { dir }) =>
      `{\nadmin off\ndefault_bind 127.0.0.1\nstorage file_system ${dir}\n}\n${configuration}`,
  },
  squid: {
    command: 'squid',
    args: (file) => ['-N', '-f', file],
    wrap: (configuration, { dir }) =>
      [
        configuration,
        `pid_filename ${dir}/pid`,
        'access_log none',
        `cache_log ${dir}/cache.log`,
        'cache_store_log none',
        'netdb_filename none',
        'pinger_enable off',
        'shutdown_lifetime 0',
        'visible_hostname api.example',
        `coredump_dir ${dir}`,
        '',
      ].join('\n'),
  },
};

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
