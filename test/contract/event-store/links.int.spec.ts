import { expect, it } from 'vitest';
import { binaryEvent, type ResolvedEvent } from '@eventstore/db-client';
import { collect, event, events, useSubject, take, uniqueStream } from './subject.js';

const subject = useSubject();

async function link(into: string, text: string): Promise<void> {
  await subject.client.appendToStream(into, [binaryEvent({ type: '$>', data: Buffer.from(text) })]);
}

async function resolved(stream: string): Promise<ResolvedEvent[]> {
  return collect(subject.client.readStream(stream, { resolveLinkTos: true }));
}

it('a link is resolved to its event, which comes with the link', async () => {
  const [target, links] = [`${uniqueStream()}@home`, uniqueStream()];
  await subject.client.appendToStream(target, events(3));
  await link(links, `1@${target}`);
  const [found] = await resolved(links);
  expect(found?.event).toMatchObject({ streamId: target, revision: 1n });
  expect(found?.link).toMatchObject({ streamId: links, revision: 0n, type: '$>' });
  expect(found?.commitPosition).toBe(found?.link?.position?.commit);
});

it('a link is an event like others when it is not to be resolved', async () => {
  const [target, links] = [uniqueStream(), uniqueStream()];
  await subject.client.appendToStream(target, events(1));
  await link(links, `0@${target}`);
  const [found] = await collect(subject.client.readStream(links));
  expect(found?.event?.type).toBe('$>');
  expect(found?.link).toBeUndefined();
});

it.each([
  ['was never written', async () => uniqueStream(), 0],
  ['has no such revision', async () => written(1), 5],
  ['is truncated', async () => truncated(), 0],
  ['is soft-deleted', async () => deleted('soft'), 0],
  ['is tombstoned', async () => deleted('hard'), 0],
] as const)('a link whose target %s comes alone', async (_rule, makeTarget, revision) => {
  const links = uniqueStream();
  await link(links, `${revision}@${await makeTarget()}`);
  const [found] = await resolved(links);
  expect(found?.event).toBeUndefined();
  expect(found?.link?.type).toBe('$>');
});

it('a link is resolved for subscribers, too', async () => {
  const [target, links] = [uniqueStream(), uniqueStream()];
  await subject.client.appendToStream(target, [event({ found: true })]);
  await link(links, `0@${target}`);
  const subscription = subject.client.subscribeToStream(links, { resolveLinkTos: true });
  const [found] = await take(subscription, 1);
  expect(found?.event).toMatchObject({ streamId: target, data: { found: true } });
});

async function written(count: number): Promise<string> {
  const stream = uniqueStream();
  await subject.client.appendToStream(stream, events(count));
  return stream;
}

async function truncated(): Promise<string> {
  const stream = await written(3);
  await subject.client.setStreamMetadata(stream, { truncateBefore: 2 });
  return stream;
}

async function deleted(how: 'soft' | 'hard'): Promise<string> {
  const stream = await written(1);
  if (how === 'soft') await subject.client.deleteStream(stream);
  else await subject.client.tombstoneStream(stream);
  return stream;
}
