import { ApiCommand, type ApiCommandOptions } from '../../api-command.js';
import { wholeNumber } from '../../arguments.js';
import { Options } from '../../options.js';
import { listOption } from '../endpoint-call.js';

export interface SettingsOptions extends ApiCommandOptions {
  readonly types?: string[];
  readonly accept?: string;
  readonly description?: string;
  /** Commander makes an empty text of null. */
  readonly maxPerSecond?: number | 'none';
}

/** A command that sets an endpoint's settings: their options are the same for all of them. */
@Options({
  '--types <types>': ['types and wildcards, such as payment.*', listOption],
  '--accept <answers>': 'answers that are a success: 2xx, or 200 alone',
  '--description <text>': 'the purpose of the endpoint; "" for none',
  '--max-per-second <n>': [
    'how many attempts begin in a second at most; "none" for no bound',
    (value) => (value === 'none' ? value : wholeNumber(value, '--max-per-second')),
  ],
})
export abstract class SettingsCommand extends ApiCommand {
  /** The body's fields; JSON leaves out those that are not given. */
  protected settings({ types: eventTypes, accept, description, maxPerSecond }: SettingsOptions) {
    const bound = maxPerSecond === 'none' ? null : maxPerSecond;
    return { eventTypes, accept, description, maxPerSecond: bound };
  }
}
