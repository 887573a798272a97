import process from 'node:process';
import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { ShareBar } from '../progress-bar.js';
import { endpointPath, jsonRequest, listOption } from './endpoint-call.js';

interface ResendOptions extends ApiCommandOptions {
  readonly webhookId?: string;
  readonly stream?: string;
  readonly revision?: number;
  readonly since?: string;
  readonly until?: string;
  readonly types?: string[];
  readonly failed?: boolean;
}

interface Resent {
  readonly queued: number;
  readonly nextPageToken?: string;
  readonly progressPercent?: number;
}

@SubCommand({
  name: 'resend',
  arguments: '<endpoint>',
  description: 'have messages sent again: one, those of a time, or all that failed',
})
@Options({
  '--webhook-id <id>':
    'a message of the last seven days, or one that was given up, by its webhook-id',
  '--stream <name>':
    'with --webhook-id and --revision: of this event, where the log has lost the message',
  '--revision <number>': [
    "the event's place in its stream, as the log had it",
    (value) => wholeNumber(value, '--revision', { least: 0 }),
  ],
  '--since <instant>': 'messages of events from then on, such as 2026-01-31T10:00:00Z',
  '--until <instant>': 'until before then; now without it',
  '--types <types>': [
    'of these types, wildcards and families alone, such as payment.*,VIEW_ITEM,v2',
    listOption,
  ],
  '--failed': 'all that was given up there and is listed as such',
})
export class ResendWebhooks extends ApiCommand {
  async run([id = '']: string[], options: ResendOptions): Promise<void> {
    const { webhookId, since, failed } = options;
    if (webhookId === undefined && since === undefined && failed === undefined) {
      throw new CliError(
        'Name the messages: --webhook-id (with --stream, --revision), --since (with --until, --types) or --failed.',
        'usage',
      );
    }
    const queued = await this.askForAll(id, options);
    print(options.json, { queued }, describe(queued, options));
  }

  /** A long time takes several calls: each names a bounded number of messages. */
  private async askForAll(id: string, options: ResendOptions): Promise<number> {
    const { webhookId, stream, revision, since, until, types, failed } = options;
    // JSON leaves out fields that are not given.
    const body = { webhookId, streamName: stream, revision, since, until, types, failed };
    const api = this.api(options);
    const bar = new ShareBar('looking', process.stderr);
    let queued = 0;
    let pageToken: string | undefined;
    do {
      const request = jsonRequest('POST', { ...body, pageToken });
      const resent = await api.json<Resent>(endpointPath(id, 'resend'), request);
      queued += resent.queued;
      pageToken = resent.nextPageToken;
      bar.draw((resent.progressPercent ?? 0) / 100);
    } while (pageToken !== undefined);
    bar.clear();
    return queued;
  }
}

function describe(queued: number, { failed }: ResendOptions): string {
  if (queued === 0) return failed ? 'Nothing is listed that failed.' : 'There is nothing to send.';
  return `${queued} ${queued === 1 ? 'message is' : 'messages are'} sent again.`;
}

interface TestOptions extends ApiCommandOptions {
  readonly type?: string;
}

@SubCommand({
  name: 'test',
  arguments: '<endpoint>',
  description: 'have a sample of a type sent to an endpoint, whether or not it takes the type',
})
@Options({ '--type <type>': 'the type; payment.succeeded without it' })
export class TestWebhook extends ApiCommand {
  async run([id = '']: string[], options: TestOptions): Promise<void> {
    const request = jsonRequest('POST', { eventType: options.type });
    const endpoint = await this.api(options).json<object>(endpointPath(id, 'test'), request);
    const { type = 'payment.succeeded' } = options;
    print(options.json, endpoint, `A sample of ${type} is sent.`);
  }
}
