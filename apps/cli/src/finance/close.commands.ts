import { userInfo } from 'node:os';
import { SubCommand } from 'nest-commander';
import { approveClose, closePeriod, type CloseWish, type FinanceApp } from '#finance';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { REASON } from '../reason.js';
import { makeCloseMeans } from './close-means.js';
import { FinanceCommand, type FinanceOptions } from './finance-command.js';
import { toRejected } from './refused.js';
import { parsePeriod } from './report-choices.js';

interface CloseOptions extends FinanceOptions {
  readonly reason: string;
  readonly by?: string;
}

@Options({
  '--reason <text>': REASON,
  '--by <name>': ['the person who acts (the user of this machine without it)', parseName],
})
abstract class CloseCommand extends FinanceCommand {
  async run([given = '']: string[], options: CloseOptions): Promise<void> {
    const period = parsePeriod(given, 'PERIOD');
    const { reason, by = userInfo().username } = options;
    // People at terminals differ by the names that they give; commands of the API by their tokens.
    const wish = { period, reason, by: `cli:${by}` };
    await this.withApp(options, async (app) => {
      const outcome = await this.act(app, wish, options);
      if ('rejection' in outcome) throw toRejected(outcome.rejection);
      const { isClosed, size } = outcome;
      const text = isClosed
        ? `${period} is closed as of leaf ${size}.`
        : `The close of ${period} as of leaf ${size} waits for a second person: "subledger finance approve ${period}".`;
      print(options.json, { appId: app.appId, period, isClosed, size }, text);
    });
  }

  protected abstract act(
    app: FinanceApp,
    wish: CloseWish,
    options: FinanceOptions,
  ): ReturnType<typeof approveClose>;
}

@SubCommand({
  name: 'close',
  arguments: '<period>',
  description:
    'close the first open month, which is over, as of a checkpoint that is made for it; where the policy asks for a second person, ask for the close. There is no reopening',
})
class ClosePeriod extends CloseCommand {
  protected act(app: FinanceApp, wish: CloseWish, options: FinanceOptions) {
    return closePeriod(
      app,
      wish,
      makeCloseMeans(app, options, () => this.masterKeys(options)),
    );
  }
}

@SubCommand({
  name: 'approve',
  arguments: '<period>',
  description: 'close a month as another person has asked for, as of the checkpoint of the request',
})
class ApproveClose extends CloseCommand {
  protected act(app: FinanceApp, wish: CloseWish) {
    return approveClose(app, wish);
  }
}

/** @throws CliError `usage`. */
function parseName(text: string): string {
  if (/^[^\s\p{C}]{1,64}$/u.test(text)) return text;
  throw new CliError('--by must be a name of 1 to 64 characters without spaces.', 'usage');
}

export const CLOSE_COMMANDS = [ClosePeriod, ApproveClose];
