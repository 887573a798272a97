import { Command } from 'nest-commander';
import { type CliCommand, CommandGroup } from './cli-command.js';

type CommandClass = new () => CliCommand;

/** The exports of the commands of a group. */
interface CommandModule {
  readonly commands: readonly CommandClass[];
  readonly nested?: readonly CommandClass[];
}

/**
 * Groups of commands by the name that is typed, in the order of the help. Each is loaded when it is needed: all
 * of them take longer to load than most commands to run.
 */
const GROUPS: Readonly<
  Record<string, readonly [description: string, load: () => Promise<CommandModule>]>
> = {
  'price-sheets': [
    "an app's price sheet and its versions",
    () => import('./price-sheets/index.js'),
  ],
  'tax-rates': ["an app's tax rates", () => import('./tax-rates/tax-rates.commands.js')],
  'operator-token': [
    "operators' tokens for the management API",
    () => import('./operator-token/issue.command.js'),
  ],
  'master-key': [
    'the key that every secret is sealed under',
    () => import('./master-key/rotate.command.js'),
  ],
  parked: [
    'streams that wait, since an event of theirs could not be worked on',
    () => import('./parked/parked.commands.js'),
  ],
  players: [
    'the players of an app, as far as the ledger knows them',
    () => import('./players/erase.command.js'),
  ],
  projections: [
    'the read models: their generations, rebuilds, verification and the ways back',
    () => import('./projections/index.js'),
  ],
  store: ['the event store of a ledger', () => import('./store/index.js')],
  subscriptions: [
    'subscriptions as their events tell them, and moves off a currency that ends',
    () => import('./subscriptions/index.js'),
  ],
  payments: [
    'payments as their events tell them, and as the gateway has them',
    () => import('./payments/index.js'),
  ],
  orders: ['orders as their events tell them', () => import('./orders/show.command.js')],
  catalog: [
    "the catalog of an app's backend, and its failures",
    () => import('./catalog/catalog.commands.js'),
  ],
  clock: ['the clocks of test apps', () => import('./clock/advance.command.js')],
  seal: ['evidence: the checkpoints of a ledger, and their key', () => import('./seal/index.js')],
  finance: [
    "an app's books: reports, policy, settlement and accepted differences",
    () => import('./finance/index.js'),
  ],
  streams: [
    'the events as they are stored, and the states that they led to, for audits',
    () => import('./streams/index.js'),
  ],
  webhooks: [
    "an app's webhook endpoints, and the deliveries to them",
    () => import('./webhooks/index.js'),
  ],
};

/**
 * @param args typed behind the program's name.
 * @returns the group that is named first and its commands, or those of all groups: for the help, and for an unknown name.
 */
export async function loadCommands([first]: readonly string[]): Promise<readonly CommandClass[]> {
  const isGroup = first !== undefined && Object.hasOwn(GROUPS, first);
  const loaded: CommandClass[] = [];
  for (const [name, [description, load]] of Object.entries(GROUPS)) {
    if (isGroup && name !== first) continue;
    const { commands, nested = [] } = await load();
    @Command({ name, description, subCommands: [...commands] })
    class Group extends CommandGroup {}
    loaded.push(Group, ...commands, ...nested);
  }
  return loaded;
}
