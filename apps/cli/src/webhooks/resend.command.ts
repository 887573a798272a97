import { Option, SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { CliError } from '../cli-error.js';
import { print } from '../output.js';
import { endpointPath, jsonRequest, listOption } from './endpoint-call.js';

interface ResendOptions extends ApiCommandOptions {
  readonly message?: string;
  readonly from?: string;
  readonly until?: string;
  readonly types?: string[];
  readonly failed?: boolean;
}

interface Resent {
  readonly messages: number;
  readonly from: string;
  readonly until: string;
}

@SubCommand({
  name: 'resend',
  arguments: '<endpoint>',
  description: 'have messages sent again: one, those of a time, or all that failed',
})
export class ResendWebhooks extends ApiCommand {
  async run([id = '']: string[], options: ResendOptions): Promise<void> {
    const { message: messageId, from, until, types, failed } = options;
    if (messageId === undefined && from === undefined && failed === undefined) {
      throw new CliError(
        'Say what: --message, --from (with --until, --types) or --failed.',
        'usage',
      );
    }
    // What is not given is left out by JSON.
    const request = jsonRequest('POST', { messageId, from, until, types, failed });
    const resent = await this.api(options).json<Resent>(endpointPath(id, 'resend'), request);
    print(options.json, resent, describe(resent));
  }

  @Option({
    flags: '--message <id>',
    description: 'a message of the last seven days, or one that was given up, by its webhook-id',
  })
  parseMessage(value: string): string {
    return value;
  }

  @Option({
    flags: '--from <instant>',
    description: 'what the endpoint takes of the events from then on, such as 2026-01-31T10:00:00Z',
  })
  parseFrom(value: string): string {
    return value;
  }

  @Option({ flags: '--until <instant>', description: 'until before then; now without it' })
  parseUntil(value: string): string {
    return value;
  }

  @Option({
    flags: '--types <types>',
    description: 'of these types and wildcards alone, such as payment.*,subscription.expired',
  })
  parseTypes(value: string): string[] {
    return listOption(value);
  }

  @Option({ flags: '--failed', description: 'all that was given up there and is listed as such' })
  parseFailed(): boolean {
    return true;
  }
}

function describe({ messages, from, until }: Resent): string {
  if (from !== '') return `What happened from ${from} until ${until} is asked for again.`;
  if (messages === 0) return 'Nothing is listed that failed.';
  return `${messages} ${messages === 1 ? 'message is' : 'messages are'} asked for again.`;
}
