import { readFileSync } from 'node:fs';
import { CallCredentials, type ChannelCredentials, credentials, Metadata } from '@grpc/grpc-js';

/** The parts of an `esdb://` connection string of one node. */
interface Parts {
  readonly host: string;
  /** Empty where the string names no user: the client then sends none. */
  readonly user: { readonly username: string; readonly password: string };
  readonly authorization: string | undefined;
  readonly authorityFile: string | undefined;
}

/** The connection string of a store that was started as a program: its ready line names a file. */
export function readConnectionString(ready: Readonly<Record<string, unknown>>): string {
  return readFileSync(String(ready['connectionStringFile']), 'utf8').trim();
}

/** The same store, by another port: that of a line which passes everything on. */
export function throughPort(connectionString: string, port: number): string {
  return connectionString.replace(/(127\.0\.0\.1|localhost):\d+/, `$1:${port}`);
}

/** Host and port, as grpc-js takes them. */
export function parseHost(connectionString: string): string {
  return parseConnectionString(connectionString).host;
}

/** How a client without the library connects, with the connection string's credentials. */
export function channelCredentials(connectionString: string): ChannelCredentials {
  const { authorization, authorityFile } = parseConnectionString(connectionString);
  if (authorityFile === undefined) return credentials.createInsecure();
  const channel = credentials.createSsl(readFileSync(authorityFile));
  if (authorization === undefined) return channel;
  const withAuthorization = CallCredentials.createFromMetadataGenerator((_, answer) => {
    const metadata = new Metadata();
    metadata.set('authorization', authorization);
    answer(null, metadata);
  });
  return credentials.combineChannelCredentials(channel, withAuthorization);
}

/** A connection string taken apart. */
export function parseConnectionString(connectionString: string): Parts {
  const url = new URL(connectionString.replace(/^esdb(\+discover)?:/, 'http:'));
  const username = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  const encoded = Buffer.from(`${username}:${password}`).toString('base64');
  return {
    host: url.host,
    user: { username, password },
    authorization: username === '' ? undefined : `Basic ${encoded}`,
    authorityFile: url.searchParams.get('tlsCAFile') ?? undefined,
  };
}
