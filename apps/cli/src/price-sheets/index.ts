import { ActivatePriceSheet } from './activate.command.js';
import { DryRunPriceSheet } from './dry-run.command.js';
import { ListPriceSheets } from './list.command.js';
import { PriceSheets } from './price-sheets.command.js';
import { ShowPriceSheet } from './show.command.js';
import { UploadPriceSheet } from './upload.command.js';

/** The group's own name first. */
export const commands = [
  PriceSheets,
  UploadPriceSheet,
  ListPriceSheets,
  ShowPriceSheet,
  ActivatePriceSheet,
  DryRunPriceSheet,
];
