import { SubCommand } from 'nest-commander';
import {
  explain,
  type Explainable,
  EXPLAINABLE,
  type FinanceExplanation,
  readExplainable,
  type ReportEnd,
  toJsonExplanation,
} from '#finance';
import { CliError } from '../../cli-error.js';
import { Options } from '../../options.js';
import { print } from '../../output.js';
import { openSources } from '../close-means.js';
import { FinanceCommand, type FinanceOptions } from '../finance-command.js';
import { parseReportEnd } from '../report-choices.js';
import { printCharge, printEntry, printFigure, printPayment } from './print-explained.js';

interface ExplainOptions extends FinanceOptions {
  readonly asOf?: ReportEnd;
}

@SubCommand({
  name: 'explain',
  arguments: '<what>',
  description:
    'where a figure comes from: an entry (EVENT#1, EVENT#1/2026-01), a payment, "ACCOUNT PERIOD" ("income:subscriptions 2026-01"); of a subscription, its next charge',
})
@Options({
  '--as-of <end>': [
    'the size of a checkpoint, an instant (the last checkpoint before it), close:2026-01 (that of a closed month), or now (one is made first); the last checkpoint without it',
    parseReportEnd,
  ],
})
export class ExplainFigure extends FinanceCommand {
  async run([what = '']: string[], options: ExplainOptions): Promise<void> {
    const wanted = parseExplainable(what);
    const { asOf = 'last' } = options;
    const explanation = await this.withApp(options, (app) =>
      explain(openSources(app, options), wanted, asOf),
    );
    print(options.json, toJsonExplanation(explanation), describe(explanation));
  }
}

/** @throws CliError `usage`. */
function parseExplainable(text: string): Explainable {
  const wanted = readExplainable(text);
  if (wanted !== undefined) return wanted;
  throw new CliError(`${JSON.stringify(text)} is not ${EXPLAINABLE}.`, 'usage');
}

function describe({ checkpoint, explained }: FinanceExplanation): string {
  const text = printExplained(explained);
  if (checkpoint === null) return text;
  return `as of leaf ${checkpoint.size} (${checkpoint.at})\n${text}`;
}

function printExplained(explained: FinanceExplanation['explained']): string {
  switch (explained.kind) {
    case 'entry':
      return printEntry(explained);
    case 'payment':
      return printPayment(explained);
    case 'figure':
      return printFigure(explained);
    case 'next_charge':
      return printCharge(explained);
  }
}
