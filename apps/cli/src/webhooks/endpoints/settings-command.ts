import { Option } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../../api-command.js';
import { wholeNumber } from '../../arguments.js';
import { listOption } from '../endpoint-call.js';

export interface SettingsOptions extends ApiCommandOptions {
  readonly types?: string[];
  readonly accept?: string;
  readonly description?: string;
  /** Commander makes an empty text of null. */
  readonly maxPerSecond?: number | 'none';
}

/** A command that sets an endpoint's settings: their options are the same for all of them. */
export abstract class SettingsCommand extends ApiCommand {
  /** The body's fields; JSON leaves out those that are not given. */
  protected settings({ types: eventTypes, accept, description, maxPerSecond }: SettingsOptions) {
    const bound = maxPerSecond === 'none' ? null : maxPerSecond;
    return { eventTypes, accept, description, maxPerSecond: bound };
  }

  @Option({ flags: '--types <types>', description: 'types and wildcards, such as payment.*' })
  parseTypes(value: string): string[] {
    return listOption(value);
  }

  @Option({
    flags: '--accept <answers>',
    description: 'answers that are a success: 2xx, or 200 alone',
  })
  parseAccept(value: string): string {
    return value;
  }

  @Option({
    flags: '--description <text>',
    description: 'the purpose of the endpoint; "" for none',
  })
  parseDescription(value: string): string {
    return value;
  }

  @Option({
    flags: '--max-per-second <n>',
    description: 'how many attempts begin in a second at most; "none" for no bound',
  })
  parseMaxPerSecond(value: string): number | 'none' {
    return value === 'none' ? value : wholeNumber('--max-per-second', value);
  }
}
