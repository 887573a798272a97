import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { MoveCurrency } from './move-currency.command.js';
import { ShowSubscription } from './show.command.js';

const subCommands = [MoveCurrency, ShowSubscription];

@Command({
  name: 'subscriptions',
  description: 'subscriptions as their events tell them, and moves off a currency that ends',
  subCommands,
})
class SubscriptionsCommands extends CommandGroup {}

/** The group's own name first. */
export const commands = [SubscriptionsCommands, ...subCommands];
