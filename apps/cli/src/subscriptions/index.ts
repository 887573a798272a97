import { MoveCurrency } from './move-currency.command.js';
import { ShowSubscription } from './show.command.js';

export const commands = [MoveCurrency, ShowSubscription];
