import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { ActivatePriceSheet } from './activate.command.js';
import { ListPriceSheets } from './list.command.js';
import { DryRunPriceSheet } from './dry-run.command.js';
import { ShowPriceSheet } from './show.command.js';
import { UploadPriceSheet } from './upload.command.js';

@Command({
  name: 'price-sheets',
  description: "an app's price sheet and its versions",
  subCommands: [
    UploadPriceSheet,
    ListPriceSheets,
    ShowPriceSheet,
    ActivatePriceSheet,
    DryRunPriceSheet,
  ],
})
export class PriceSheets extends CommandGroup {}
