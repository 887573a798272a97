import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { ShowSubscription } from './show.command.js';

@Command({
  name: 'subscriptions',
  description: 'subscriptions as their events tell them',
  subCommands: [ShowSubscription],
})
export class SubscriptionsCommands extends CommandGroup {}
