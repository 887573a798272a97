import { SubCommand } from 'nest-commander';
import { CommandGroup } from '../../command-group.js';
import { ChangeEndpoint } from './change.command.js';
import { CreateEndpoint } from './create.command.js';
import { DeleteEndpoint } from './delete.command.js';
import { ListEndpoints } from './list.command.js';
import { RotateEndpointSecret } from './rotate-secret.command.js';
import { DisableEndpoint, EnableEndpoint } from './set-state.commands.js';
import { ShowEndpoint } from './show.command.js';

/** The commands of the group; the program provides them. */
export const ENDPOINT_COMMANDS = [
  ...[ListEndpoints, ShowEndpoint, CreateEndpoint, ChangeEndpoint],
  ...[DisableEndpoint, EnableEndpoint, RotateEndpointSecret, DeleteEndpoint],
];

@SubCommand({
  name: 'endpoints',
  description: 'where the webhooks of an app are sent',
  subCommands: ENDPOINT_COMMANDS,
})
export class EndpointsCommands extends CommandGroup {}
