import { SubCommand } from 'nest-commander';
import { CommandGroup } from '../../cli-command.js';
import {
  ChangeEndpoint,
  CreateEndpoint,
  DeleteEndpoint,
  DisableEndpoint,
  EnableEndpoint,
  ListEndpoints,
  ShowEndpoint,
} from './endpoint.commands.js';
import { RotateEndpointSecret } from './rotate-secret.command.js';

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
