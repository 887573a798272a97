import { DryRunPriceSheet } from './dry-run.command.js';
import {
  ActivatePriceSheet,
  ListPriceSheets,
  ShowPriceSheet,
  UploadPriceSheet,
} from './sheet.commands.js';

export const commands = [
  ...[UploadPriceSheet, ListPriceSheets, ShowPriceSheet, ActivatePriceSheet, DryRunPriceSheet],
];
