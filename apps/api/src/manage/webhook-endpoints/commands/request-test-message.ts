import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readBucket } from '#domain/ids';
import { answer, type CommandContext } from '#nest';
import { assertDefect, newId } from '#platform';
import { FollowedLedger } from '../../followed-ledger.js';
import type { RequestedTestDto, TestWebhookBody } from '../resend.dto.js';
import { executeOnEndpoint } from './endpoint-answer.js';

/** Has a sample of a type sent to an endpoint, whether or not it takes the type (rules/webhooks 7). */
export class RequestTestMessage extends Command<RequestedTestDto> {
  constructor(
    readonly id: string,
    readonly test: TestWebhookBody,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RequestTestMessage)
export class RequestTestMessageHandler implements ICommandHandler<RequestTestMessage> {
  constructor(private readonly ledger: FollowedLedger) {}

  async execute({ id, test, context }: RequestTestMessage): Promise<RequestedTestDto> {
    const { appId, now } = context;
    const testId = newId('tst', now, readBucket(appId));
    const { eventType } = test;
    const command = { kind: 'RequestTestMessage', testId, eventType, now } as const;
    const result = await executeOnEndpoint(this.ledger, id, command, context);
    const [event] = result.events;
    assertDefect(event?.type === 'webhook_endpoint.test_requested.v1', 'a test was requested');
    // A repeated request has the test that the first one asked for.
    return answer({ testId: event.data.testId, eventType: event.data.eventType }, result);
  }
}
