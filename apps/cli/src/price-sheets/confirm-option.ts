import { wholeNumber } from '../arguments.js';

/** Of the upload and of its dry run, which refuse the same rows (rules/prices 9). */
export const CONFIRM_OPTION = {
  '--confirm <rows>': [
    'how many rows are meant that a spreadsheet may have changed, as the refusal says',
    wholeNumber,
  ],
} as const;
