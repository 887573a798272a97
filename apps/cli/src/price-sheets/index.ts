import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { ActivatePriceSheet, ListPriceSheets, ShowPriceSheet } from './version.commands.js';
import { DryRunPriceSheet } from './dry-run.command.js';
import { UploadPriceSheet } from './upload.command.js';

const subCommands = [
  UploadPriceSheet,
  ListPriceSheets,
  ShowPriceSheet,
  ActivatePriceSheet,
  DryRunPriceSheet,
];

@Command({
  name: 'price-sheets',
  description: "an app's price sheet and its versions",
  subCommands,
})
class PriceSheets extends CommandGroup {}

/** The group's own name first. */
export const commands = [PriceSheets, ...subCommands];
