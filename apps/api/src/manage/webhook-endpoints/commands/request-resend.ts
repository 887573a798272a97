import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type WebhookEndpointEvent, webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { answer, APP_DIRECTORY, type CommandContext, Ledger, notFound } from '#nest';
import { assertDefect } from '#platform';
import type { AppDirectory } from '#tenancy';
import { FollowedLedger } from '../../followed-ledger.js';
import type { RequestedResendDto, ResendWebhooksBody } from '../resend.dto.js';
import { planResend } from '../resend-plan.js';
import { type Resend, ResendableMessages } from '../resendable-messages.js';
import { executeOnEndpoint } from './endpoint-answer.js';

/** Has messages sent again to an endpoint: one, those of a time, or all that failed (rules/webhooks 7). */
export class RequestResend extends Command<RequestedResendDto> {
  constructor(
    readonly id: string,
    readonly body: ResendWebhooksBody,
    readonly context: CommandContext,
  ) {
    super();
  }
}

type Requested = Awaited<ReturnType<typeof executeOnEndpoint>>;

/** Messages of one append: 50 events of them stay below what a store takes at a time. */
const MESSAGES_AN_APPEND = 5_000;

@CommandHandler(RequestResend)
export class RequestResendHandler implements ICommandHandler<RequestResend> {
  constructor(
    private readonly ledger: Ledger,
    private readonly followed: FollowedLedger,
    private readonly messages: ResendableMessages,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
  ) {}

  async execute({ id, body, context }: RequestResend): Promise<RequestedResendDto> {
    // Before anything of the endpoint is looked at: another app's does not exist.
    const endpoint = await this.apps.findEndpoint(id);
    if (endpoint?.appId !== context.appId) throw notFound('webhook endpoint', id);
    const plan = planResend(body, context.now);
    // A message that was sent since has not failed any more, and the answer is the same all the same.
    const parts = await this.findEarlier(id, context);
    if (parts.length === 0) {
      for (const resend of cutResend(await this.messages.resolve(id, plan, context.appId))) {
        const command = { kind: 'RequestResend', resend, now: context.now } as const;
        const ofPart = contextFor(context, parts.length);
        parts.push(await executeOnEndpoint(this.followed, id, command, ofPart));
      }
    }
    const last = parts.at(-1);
    assertDefect(last !== undefined, 'a resend has a part');
    return answer(summarize(parts.flatMap(({ events }) => events)), last);
  }

  /**
   * What a request with this key was answered before; of thousands of messages, as much as it came to.
   *
   * @throws ApiError where it was another request.
   */
  private async findEarlier(id: string, context: CommandContext): Promise<Requested[]> {
    const parts: Requested[] = [];
    for (;;) {
      const ofPart = contextFor(context, parts.length);
      const options = { what: 'webhook endpoint' };
      const part = await this.ledger.answerBefore(webhookEndpointAggregate, id, ofPart, options);
      if (part === undefined) return parts;
      parts.push(part);
    }
  }
}

/** Each append has a key of its own; what the caller knows of the endpoint is known before the first. */
function contextFor(context: CommandContext, part: number): CommandContext {
  if (part === 0) return context;
  const { ifMatch: _, commandId, ...rest } = context;
  return commandId === undefined ? rest : { ...rest, commandId: `${commandId} ${part}` };
}

/** Messages in appends; at least one, which says that there was nothing. */
function cutResend(resend: Resend): Resend[] {
  if (!('messages' in resend)) return [resend];
  const parts = [{ messages: resend.messages.slice(0, MESSAGES_AN_APPEND) }];
  for (let at = MESSAGES_AN_APPEND; at < resend.messages.length; at += MESSAGES_AN_APPEND) {
    parts.push({ messages: resend.messages.slice(at, at + MESSAGES_AN_APPEND) });
  }
  return parts;
}

/** What was asked for, as the events have it: a repeated request has those of the first one. */
function summarize(events: readonly WebhookEndpointEvent[]): RequestedResendDto {
  const summary = { messages: 0, from: '', until: '' };
  for (const event of events) {
    if (event.type !== 'webhook_endpoint.resend_requested.v1') continue;
    if ('messages' in event.data) summary.messages += event.data.messages.length;
    else Object.assign(summary, { from: event.data.from, until: event.data.until });
  }
  return summary;
}
