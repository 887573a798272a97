import type { Mutant } from './mutant.js';

const EGRESS = 'libs/egress/src';
const CONNECTOR = `${EGRESS}/connector.ts`;
const NAMES = `${EGRESS}/names.int.spec.ts`;

/** Guards of requests to addresses that merchants name. */
export const EGRESS_MUTANTS: readonly Mutant[] = [
  {
    name: 'the addresses of a name are not checked',
    harm: 'A merchant names a host that leads into the network of the operator, and webhooks are posted there.',
    file: CONNECTOR,
    guard: 'addresses.some(({ address }) => isForbidden(address))',
    without: 'addresses.length === 0',
    specs: [NAMES],
  },
  {
    name: 'one public address of a name makes it public',
    harm: 'The private address beside it is connected where the public one does not answer.',
    file: CONNECTOR,
    guard: 'addresses.some(({ address }) => isForbidden(address))',
    without: 'addresses.every(({ address }) => isForbidden(address))',
    specs: [NAMES],
  },
  {
    name: 'the connected socket is not looked at',
    harm: 'What is connected in another place than was checked is sent webhooks.',
    file: CONNECTOR,
    guard: 'if (isForbidden(remoteAddress)) {',
    without: "if (remoteAddress === 'none') {",
    specs: [NAMES],
  },
  {
    name: 'a proxy is given the name',
    harm: 'The proxy resolves it once more, to another address than was checked.',
    file: `${EGRESS}/proxy.ts`,
    guard: "const remoteAddress = addresses[0]?.address ?? '';",
    without: "const remoteAddress = addresses[0] ? 'receiver.example' : '';",
    specs: [`${EGRESS}/proxy.int.spec.ts`],
  },
  {
    name: 'endpoints at one address share connections',
    harm: 'A socket that was opened on behalf of one app carries the webhooks of another one.',
    file: `${EGRESS}/connections.ts`,
    guard: '${owner} ${origin}',
    without: '${owner.slice(0, 0)} ${origin}',
    specs: [`${EGRESS}/connections.int.spec.ts`],
  },
  {
    name: 'idle connections are kept without a bound',
    harm: 'With thousands of endpoints the process has no file left to open.',
    file: `${EGRESS}/connections.ts`,
    guard: 'this.#idle.size > this.limits.idleAtMost',
    without: 'this.#idle.size < 0',
    specs: [`${EGRESS}/connections.int.spec.ts`],
  },
  {
    name: 'a receiver says how long its connection is kept',
    harm: 'With thousands of endpoints the process has no file left to open.',
    file: `${EGRESS}/connection.ts`,
    guard: '      keepAliveMaxTimeout: idleMs,\n',
    without: '',
    specs: [`${EGRESS}/connections.int.spec.ts`],
  },
  {
    name: "the failure of a proxy is the receiver's",
    harm: 'When the proxy is away, all deliveries of the operator use up their attempts.',
    file: `${EGRESS}/failure.ts`,
    guard: '  if (error instanceof Fault) throw error;\n',
    without: '',
    specs: [`${EGRESS}/proxy.int.spec.ts`],
  },
  {
    name: 'an answer is read to its end',
    harm: 'An answer without an end holds an attempt for all of its 15 s, and fills the memory of the worker.',
    file: `${EGRESS}/receipt.ts`,
    guard: '      if (!this.isWhole) break;\n',
    without: '',
    specs: ['apps/worker/src/delivery/send.int.spec.ts'],
  },
  {
    name: 'a proxy that connects to nothing is charged to the receivers',
    harm: 'An hour of the proxy uses up the attempts of all endpoints, and opens all breakers.',
    file: 'libs/egress/src/proxy-watch.ts',
    guard: 'return isLately && this.#failed.size >= TARGETS_AT_FAULT;',
    without: 'return false && isLately;',
    specs: ['libs/egress/src/proxy.int.spec.ts'],
  },
];
