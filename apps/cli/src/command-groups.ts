import type { Provider } from '@nestjs/common';

/** The exports of a folder of commands. */
interface CommandFolder {
  readonly commands: readonly Provider[];
}

/**
 * Groups of commands by the name that is typed, in the order of the help. Each is loaded when it is needed: all
 * of them take longer to load than most commands to run.
 */
const GROUPS: Readonly<Record<string, () => Promise<CommandFolder>>> = {
  'price-sheets': () => import('./price-sheets/index.js'),
  'tax-rates': () => import('./tax-rates/index.js'),
  'operator-token': () => import('./operator-token/index.js'),
  'master-key': () => import('./master-key/index.js'),
  parked: () => import('./parked/index.js'),
  players: () => import('./players/index.js'),
  store: () => import('./store/index.js'),
  subscriptions: () => import('./subscriptions/index.js'),
  payments: () => import('./payments/index.js'),
  orders: () => import('./orders/index.js'),
  catalog: () => import('./catalog/index.js'),
  clock: () => import('./clock/index.js'),
  streams: () => import('./streams/index.js'),
  webhooks: () => import('./webhooks/index.js'),
};

/**
 * @param args typed behind the program's name.
 * @returns the commands of the group that is named first, or all: for the help, and for an unknown name.
 */
export async function loadCommands([first]: readonly string[]): Promise<readonly Provider[]> {
  const isGroup = first !== undefined && Object.hasOwn(GROUPS, first);
  const names = isGroup ? [first] : Object.keys(GROUPS);
  const commands: Provider[] = [];
  for (const name of names) commands.push(...((await GROUPS[name]?.())?.commands ?? []));
  return commands;
}
