import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Position } from '#domain/event';
import {
  type Resend,
  type WebhookEndpointEvent,
  webhookEndpointAggregate,
} from '#domain/webhook-endpoint';
import { answer, APP_DIRECTORY, type CommandContext, commandWith, Ledger, notFound } from '#nest';
import { assertDefect } from '#platform';
import type { AppDirectory } from '#tenancy';
import type { PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS } from '../../../tokens.js';
import { FollowedLedger } from '../../followed-ledger.js';
import type { RequestedResendDto, ResendWebhooksBody } from '../resend.dto.js';
import { planResend, type ResendPlan } from '../resend-plan.js';
import { ResendableMessages } from '../resendable-messages.js';
import { executeOnEndpoint } from './endpoint-changes.js';

/** Has messages sent again to an endpoint: one, those of a time, or all that failed (rules/webhooks 13). */
export class RequestResend extends commandWith<
  { id: string; body: ResendWebhooksBody; context: CommandContext },
  RequestedResendDto
>() {}

type Requested = Awaited<ReturnType<typeof executeOnEndpoint>>;

/** Messages of one append: 250 events of them are half a megabyte, and a store takes one at a time. */
const MESSAGES_AN_APPEND = 2_500;

@CommandHandler(RequestResend)
export class RequestResendHandler implements ICommandHandler<RequestResend> {
  constructor(
    private readonly ledger: Ledger,
    private readonly followed: FollowedLedger,
    private readonly messages: ResendableMessages,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ id, body, context }: RequestResend): Promise<RequestedResendDto> {
    // Before anything of the endpoint is looked at: another app's does not exist.
    const endpoint = await this.apps.findEndpoint(id);
    if (endpoint?.appId !== context.appId) throw notFound('webhook endpoint', id);
    const { since, until, types, pageToken } = body;
    const list = JSON.stringify(['webhook-resend', context.appId, id, since, until, types]);
    const begun = readCursor(this.pageTokens.read(list, pageToken));
    const plan = planResend(body, begun?.until ?? context.now);
    // A message that was sent since has not failed any more, and the answer is the same all the same.
    const parts = await this.findEarlier(id, context);
    let progressPercent: number | undefined;
    if (parts.length === 0 || (plan.kind === 'failed' && mayHaveBeenCut(parts))) {
      const request = { endpoint, now: context.now, after: begun?.after };
      const resolved = await this.messages.resolve(plan, request);
      ({ progressPercent } = resolved);
      for (const resend of cutResend(resolved, plan.kind)) {
        const command = { kind: 'RequestResend', resend, now: context.now } as const;
        const ofPart = contextFor(context, parts.length);
        parts.push(await executeOnEndpoint(this.followed, id, command, ofPart));
      }
    }
    const last = parts.at(-1);
    assertDefect(last !== undefined, 'a resend has a part');
    const { queued, restAfter } = summarize(parts.flatMap(({ events }) => events));
    if (restAfter === null || plan.kind !== 'range') return answer({ queued }, last);
    const nextPageToken = this.pageTokens.next(list, `${plan.range.until} ${restAfter}`);
    return answer(
      { queued, nextPageToken, ...(progressPercent !== undefined && { progressPercent }) },
      last,
    );
  }

  /**
   * The earlier answer to a request with this key; of thousands of messages, those that it came to.
   *
   * @throws ApiError where it was another request.
   */
  private async findEarlier(id: string, context: CommandContext): Promise<Requested[]> {
    const parts: Requested[] = [];
    for (;;) {
      const ofPart = contextFor(context, parts.length);
      const part = await this.ledger.answerBefore(webhookEndpointAggregate, id, ofPart);
      if (part === undefined) return parts;
      parts.push(part);
    }
  }
}

/**
 * Whether a call with this key may have ended between two of its appends: the last of them is full. The messages that
 * it had not come to are listed as failed still, and are asked for now.
 */
function mayHaveBeenCut(parts: readonly Requested[]): boolean {
  return summarize(parts.at(-1)?.events ?? []).queued === MESSAGES_AN_APPEND;
}

/** Each append has a key of its own; the caller's revision of the endpoint is checked before the first. */
function contextFor(context: CommandContext, part: number): CommandContext {
  if (part === 0) return context;
  const { ifMatch: _, commandId, ...rest } = context;
  return commandId === undefined ? rest : { ...rest, commandId: `${commandId} ${part}` };
}

/**
 * Messages in appends; at least one, which says that there was nothing. Of all that failed the last one is not full: it
 * says that there was no more.
 */
function cutResend({ messages, restAfter }: Resend, kind: ResendPlan['kind']): Resend[] {
  const parts: Resend[] = [];
  const end = kind === 'failed' ? messages.length + 1 : messages.length;
  for (let at = 0; at === 0 || at < end; at += MESSAGES_AN_APPEND) {
    const isLast = at + MESSAGES_AN_APPEND >= messages.length;
    const part = messages.slice(at, at + MESSAGES_AN_APPEND);
    parts.push({ messages: part, restAfter: isLast ? restAfter : null });
  }
  return parts;
}

/** The requested messages, as the events have them: a repeated request has those of the first one. */
function summarize(events: readonly WebhookEndpointEvent[]) {
  let queued = 0;
  let restAfter: Position | null = null;
  for (const event of events) {
    if (event.type !== 'webhook_endpoint.resend_requested.v1') continue;
    queued += event.data.messages.length;
    ({ restAfter } = event.data);
  }
  return { queued, restAfter };
}

/** The end of an earlier call for a time. Until when that is stays as it was then. */
function readCursor(cursor: string | undefined) {
  const [until, after] = cursor?.split(' ') ?? [];
  return until === undefined || after === undefined ? undefined : { until, after };
}
