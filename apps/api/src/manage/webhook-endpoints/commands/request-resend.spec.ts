import { describe, expect, it } from 'vitest';
import type { Resend, ResentMessage } from '#domain/webhook-endpoint';
import type { CommandContext, Ledger } from '#nest';
import type { AppDirectory } from '#tenancy';
import type { PageTokens } from '../../../http/page-token.js';
import type { FollowedLedger } from '../../followed-ledger.js';
import type { ResendableMessages } from '../resendable-messages.js';
import { RequestResend, RequestResendHandler } from './request-resend.js';

const message = (n: number): ResentMessage => ({
  ...{ streamName: `subscription-sub_${n}`, revision: 1, messageId: `msg_${n}` },
});

/** A handler over an endpoint at which so many messages have failed; the store may be away from some append on. */
function create(failedCount: number, append = { worksFor: Infinity }) {
  const failed = new Map(Array.from({ length: failedCount }, (_, n) => [`msg_${n}`, message(n)]));
  const stored = new Map<string, { readonly events: readonly unknown[] }>();
  const execute = async (
    _aggregate: unknown,
    _id: string,
    { resend }: { readonly resend: Resend },
    { commandId = '' }: Pick<CommandContext, 'commandId'>,
  ) => {
    if (stored.size >= append.worksFor) throw new Error('the store is away');
    for (const { messageId } of resend.messages) failed.delete(messageId);
    const events = [{ type: 'webhook_endpoint.resend_requested.v1', data: resend }];
    // Fields that these tests do not look at are left out.
    const accepted = { events, position: null, bucket: 0 };
    stored.set(commandId, accepted);
    return accepted;
  };
  const ledger = {
    answerBefore: async (_aggregate: unknown, _id: string, context: CommandContext) =>
      stored.get(context.commandId ?? ''),
  };
  const handler = new RequestResendHandler(
    ledger as unknown as Ledger,
    { execute } as unknown as FollowedLedger,
    {
      resolve: async () => ({ messages: [...failed.values()], restAfter: null }),
    } as unknown as ResendableMessages,
    { findEndpoint: async () => ({ appId: 'app_1' }) } as unknown as AppDirectory,
    { read: () => undefined } as unknown as PageTokens,
  );
  const context = { appId: 'app_1', commandId: 'key', now: '2027-01-31T10:00:00.000Z' };
  const ask = () =>
    handler.execute(
      new RequestResend({
        id: 'whe_1',
        body: { failed: true },
        context: context as CommandContext,
      }),
    );
  return { ask, append, failed };
}

describe('a resend of all that failed', () => {
  it('goes on where a call with the same key was cut off between two appends', async () => {
    const { ask, append, failed } = create(6_000, { worksFor: 1 });
    await expect(ask()).rejects.toThrow('the store is away');
    expect(failed.size).toBe(3_500);
    append.worksFor = Infinity;
    expect(await ask()).toMatchObject({ queued: 6_000 });
    expect(failed.size).toBe(0);
  });

  it.each([2_400, 2_500])(
    'of %i messages is answered once more, and sends nothing again',
    async (count) => {
      const { ask, failed } = create(count);
      expect(await ask()).toMatchObject({ queued: count });
      failed.set('msg_later', message(9_999));
      expect(await ask()).toMatchObject({ queued: count });
      expect(failed.size).toBe(1);
    },
  );
});
