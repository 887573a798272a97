import { OrdersCommands } from './orders.command.js';
import { ShowOrder } from './show.command.js';

/** The group's own name first. */
export const commands = [OrdersCommands, ShowOrder];
