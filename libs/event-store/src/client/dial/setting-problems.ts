import { readFile } from 'node:fs/promises';
import {
  type ConnectionOptions,
  parseConnectionString,
} from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { status } from '@grpc/grpc-js';
import { Fault, SettingRefused } from '#platform';
import { probeAddress, type Sighting, type TlsSettings } from './address-probe.js';

/** See `LedgerStore.findSettingProblem`. The sentences name the setting and hold no part of it. */
export async function findSettingProblem(
  connectionString: string,
  error: unknown,
): Promise<SettingRefused | undefined> {
  if (!(error instanceof Fault)) return undefined;
  const settings = parseConnectionString(connectionString);
  const sentence =
    describeRefusal(settings, error.cause) ??
    (error.code === 'unavailable' ? await describeConnection(settings) : undefined);
  return sentence === undefined ? undefined : new SettingRefused(sentence, error);
}

/** Whether a connection string asks for TLS, as it does where it says nothing of it. */
export function usesTls(connectionString: string): boolean {
  return parseConnectionString(connectionString).tls !== false;
}

/** The hosts and ports of a connection string, without its user and password. */
export function describeHosts(connectionString: string): string {
  const { hosts } = parseConnectionString(connectionString);
  return hosts.map(({ address, port }) => `${address}:${port}`).join(',');
}

/** The event store's refusal of the caller; undefined where there is none. */
function describeRefusal(settings: ConnectionOptions, cause: unknown): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === status.UNAUTHENTICATED) {
    return 'The event store refuses the user or the password of EVENTSTOREDB_URL.';
  }
  if (code !== status.PERMISSION_DENIED) return undefined;
  return settings.defaultCredentials === undefined
    ? 'The event store asks for credentials, and EVENTSTOREDB_URL has none: esdb://user:password@host:port.'
    : 'The event store denies the user of EVENTSTOREDB_URL a right that the ledger needs.';
}

/**
 * Why no connection can come about. Where any host answers as it should, or none answers clearly, the
 * failure may pass.
 */
async function describeConnection(settings: ConnectionOptions): Promise<string | undefined> {
  const secure = settings.tls === false ? undefined : await readTlsSettings(settings);
  const probes = settings.hosts.map((host) => probeAddress(host, secure));
  const seen = (await Promise.all(probes)).filter((sighting) => sighting !== undefined);
  const [first] = seen;
  return first === undefined || seen.includes('http2') ? undefined : describeSighting(first);
}

function describeSighting(sighting: Sighting): string | undefined {
  switch (sighting) {
    case 'http2':
      return undefined;
    case 'http1':
      return 'What answers at the host and port of EVENTSTOREDB_URL is no event store: it speaks HTTP/1 alone.';
    case 'plain':
      return 'EVENTSTOREDB_URL asks for TLS, and the event store there speaks none: such a one takes tls=false.';
    case 'tls':
      return 'The event store takes connections with TLS alone, and EVENTSTOREDB_URL says tls=false.';
    default:
      return (
        `The certificate of the event store is not accepted (${sighting.certificate}): tlsCAFile in ` +
        'EVENTSTOREDB_URL has to name the authority that issued it, and its host one that it is for.'
      );
  }
}

async function readTlsSettings(settings: ConnectionOptions): Promise<TlsSettings> {
  const { tlsCAFile, userCertFile, userKeyFile } = settings;
  return {
    ...(tlsCAFile !== undefined && { ca: await readFile(tlsCAFile) }),
    ...(userCertFile !== undefined && { cert: await readFile(userCertFile) }),
    ...(userKeyFile !== undefined && { key: await readFile(userKeyFile) }),
  };
}
