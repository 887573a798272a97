/** The secrets of a data directory (rules/storage 1 and 2). */
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStoreDBClient } from '@eventstore/db-client';
import { startEventStore, StartRefused } from '#embedded-event-store';
import { openAccess } from '#embedded-event-store/access';
import { event } from '../subject.js';

const STREAM = 'kept-1';

const readAuthority = (directory: string) => readFile(path.join(directory, 'access', 'ca.pem'));

describe('the data directory', () => {
  let own: string;
  beforeEach(async () => {
    own = await mkdtemp(path.join(tmpdir(), 'event-store-access-'));
  });
  afterEach(() => rm(own, { recursive: true, force: true }));
  const start = async () => (await startEventStore({ port: 0, dataDir: own })).stop();
  const inAccess = (name: string) => path.join(own, 'access', name);

  it('keeps every secret for its owner alone', async () => {
    await start();
    for (const name of await readdir(path.join(own, 'access'))) {
      expect([name, (await stat(inAccess(name))).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(await readdir(path.join(own, 'access'))).toEqual([
      ...['ca.key', 'ca.pem', 'password', 'server.pem'],
    ]);
    expect((await stat(inAccess(''))).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(own, 'connection-string'))).mode & 0o777).toBe(0o600);
  });

  it('keeps its authority, password and certificate', async () => {
    const seen = new Set<string>();
    const connectionStrings = new Set<string>();
    for (let n = 0; n < 2; n += 1) {
      const running = await startEventStore({ port: 0, dataDir: own });
      const again = EventStoreDBClient.connectionString(running.connectionString);
      await again.appendToStream(STREAM, [event()]);
      await again.dispose();
      const certificate = await fetchCertificate(running.port, await readAuthority(own));
      seen.add(certificate.fingerprint256);
      connectionStrings.add(running.connectionString.replace(/:\d+\?/, ':PORT?'));
      expect(certificate.subjectAltName).toBe(
        'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
      );
      await running.stop();
    }
    expect(seen.size).toBe(1);
    expect(connectionStrings.size).toBe(1);
    const authority = new X509Certificate(await readAuthority(own));
    const years = (Date.parse(authority.validTo) - Date.now()) / (365.25 * 86_400_000);
    expect(years).toBeCloseTo(10, 1);
  });

  it.each([
    ['is missing', () => rm(inAccess('server.pem'))],
    ['is broken', () => writeFile(inAccess('server.pem'), 'x')],
  ])('makes another certificate where it %s', async (_, damage) => {
    await start();
    const before = await readFile(inAccess('server.pem'), 'utf8');
    await damage();
    const running = await startEventStore({ port: 0, dataDir: own });
    const shown = await fetchCertificate(running.port, await readAuthority(own));
    await running.stop();
    const kept = await readFile(inAccess('server.pem'), 'utf8');
    expect(kept).not.toBe(before);
    expect(shown.fingerprint256).toBe(new X509Certificate(kept).fingerprint256);
    expect((await stat(inAccess('server.pem'))).mode & 0o777).toBe(0o600);
  });

  it('gets one access from two starts at once', async () => {
    const [one, other] = await Promise.all([openAccess(own), openAccess(own)]);
    expect(one).toEqual(other);
    expect(await readdir(own)).toEqual(['access']);
  });

  it.each([
    ['without a key', () => rm(inAccess('ca.key')), /ca\.key: ENOENT/],
    ['without a certificate', () => rm(inAccess('ca.pem')), /ca\.pem: ENOENT/],
    ['without a password', () => rm(inAccess('password')), /password: ENOENT/],
    ['with an empty password', () => writeFile(inAccess('password'), '\n'), /password is empty/],
    ['with a broken key', () => writeFile(inAccess('ca.key'), 'x'), /not a certificate and a key/],
    ['with a broken certificate', () => writeFile(inAccess('ca.pem'), ''), /not a certificate/],
    ['with the key of another', () => copyKey(), /its key belongs to another certificate/],
  ])('is refused with an authority %s', async (_, damage, why) => {
    await openAccess(own);
    await damage();
    const refused = startEventStore({ port: 0, dataDir: own });
    await expect(refused).rejects.toBeInstanceOf(StartRefused);
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toThrow(inAccess('').replace(/\/$/, ''));
    await rm(inAccess(''), { recursive: true });
    await start();
  });

  const copyKey = async () => {
    const other = path.join(own, 'other');
    await openAccess(other);
    const key = await readFile(path.join(other, 'access', 'ca.key'));
    await writeFile(inAccess('ca.key'), key);
  };
});

/** The certificate that a server shows to a client that trusts this authority. */
async function fetchCertificate(port: number, ca: Buffer): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ port, host: '127.0.0.1', ca, ALPNProtocols: ['h2'] }, () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate) resolve(certificate);
    });
    socket.on('error', reject);
  });
}
