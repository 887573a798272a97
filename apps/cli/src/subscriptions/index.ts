import { MoveCurrency } from './move-currency.command.js';
import { ShowSubscription } from './show.command.js';
import { SubscriptionsCommands } from './subscriptions.command.js';

/** The group's own name first. */
export const commands = [SubscriptionsCommands, MoveCurrency, ShowSubscription];
