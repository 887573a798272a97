import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { MoveCurrency } from './move-currency.command.js';
import { ShowSubscription } from './show.command.js';

@Command({
  name: 'subscriptions',
  description: 'subscriptions as their events tell them, and moves off a currency that ends',
  subCommands: [MoveCurrency, ShowSubscription],
})
export class SubscriptionsCommands extends CommandGroup {}
