import { expect, it } from 'vitest';
import { parseCommandLine } from './command-line.js';

it('has defaults that EventStoreDB clients know', () => {
  expect(parseCommandLine([])).toEqual({
    port: 2113,
    dataDir: './data/event-store',
    insecure: false,
    json: false,
    exitWithParent: false,
    help: false,
    version: false,
  });
});

it('takes what it is given', () => {
  const args = ['--port', '0', '--data-dir', '/tmp/x', '--json', '--exit-with-parent'];
  expect(parseCommandLine(args)).toMatchObject({ port: 0, dataDir: '/tmp/x', json: true });
});

it.each([
  [['--port', 'x']],
  [['--port', '70000']],
  [['--port', '-1']],
  [['--admin-port', 'x']],
  [['--data-dir', '']],
  [['more']],
])('refuses %j', (args) => {
  expect(() => parseCommandLine(args)).toThrow();
});
