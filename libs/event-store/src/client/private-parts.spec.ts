import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { connectivityState, Metadata } from '@grpc/grpc-js';
import { exposeInternals } from './client-internals.js';
import { channelOptions, openOnConnection } from './grpc-internals.js';
import { createClient } from './dial/create-client.js';
import { WatchedChannel } from './failover/index.js';

const client = createClient('esdb://user:password@127.0.0.1:1?tls=true');
const internals = exposeInternals(client);
const readHere = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8');

afterAll(async () => (await internals.getChannel()).close());

it('of the client are where the ledger looks for them', async () => {
  for (const member of ['getGRPCClient', 'handleError', 'createChannel'] as const) {
    expect(internals).toHaveProperty(member, expect.any(Function));
  }
  expect('capabilities' in client).toBe(true);
  const [metadata, { credentials }] = internals.callArguments({ requiresLeader: true }, {});
  expect(metadata.get('requires-leader')).toEqual(['true']);
  const said = await credentials?.generateMetadata({ service_url: '', method_name: '' });
  expect(said?.get('authorization')).toEqual(['Basic dXNlcjpwYXNzd29yZA==']);
});

it('of the client end what is open when it is disposed of', async () => {
  const open = { destroy: vi.fn() };
  internals.disposableStreams.add(open);
  await client.dispose();
  expect(open.destroy).toHaveBeenCalledTimes(1);
});

it('of grpc-js are where the ledger looks for them', async () => {
  const channel = await internals.getChannel();
  expect(channel).toBeInstanceOf(WatchedChannel);
  const { inner } = channel as WatchedChannel;
  expect(channelOptions(inner)).toMatchObject({ 'grpc.max_receive_message_length': 17_825_792 });
  expect(channel.getConnectivityState(false)).toBe(connectivityState.IDLE);
  expect(openOnConnection(inner, '/test/Read', new Metadata())).toBeUndefined();
});

it('are listed with tests that exist', () => {
  const page = readHere('README.md');
  const listed = [...page.matchAll(/`([\w/.-]+\.spec\.ts)`(?:: ([^|;]+))?/g)];
  expect(listed.length).toBeGreaterThan(15);
  for (const [, file = '', title = ''] of listed) {
    const from = file.startsWith('test/') ? `../../../../${file}` : file;
    expect(readHere(from)).toContain(title.trim());
  }
  const members = readHere('client-internals.ts').matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm);
  for (const [, member = ''] of members) expect(page).toContain(`\`${member}\``);
});
