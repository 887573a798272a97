import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import {
  bits,
  readContent,
  type Der,
  der,
  identifier,
  integer,
  isTrue,
  octets,
  readParts,
  sequence,
  time,
} from './der.js';

/** A clock that is set back a little must not make a new certificate invalid. */
const BACKDATED_MS = 86_400_000;
const SERIAL_BYTES = 16;
/** The third version of X.509, the one with extensions. */
const VERSION = der(0xa0, integer(Buffer.of(2)));
/** ECDSA with SHA-256, 1.2.840.10045.4.3.2. */
const ALGORITHM = sequence(identifier('2a8648ce3d040302'));

/** What is said in a certificate, beside what all have. */
interface Said {
  readonly issuer: Der;
  readonly subject: Der;
  readonly notAfter: Der;
  readonly publicKey: Der;
  readonly extensions: readonly Der[];
}

/** A certificate that is signed with the issuer's key, in PEM. */
export function certify(key: KeyObject, said: Said): string {
  const fields = sequence(
    ...[VERSION, integer(serialNumber()), ALGORITHM, said.issuer],
    sequence(time(new Date(Date.now() - BACKDATED_MS)), said.notAfter),
    ...[said.subject, said.publicKey, der(0xa3, sequence(...said.extensions))],
  );
  const signed = sequence(fields, ALGORITHM, bits(sign('sha256', fields, key)));
  return new X509Certificate(signed).toString();
}

/** @param id of 2.5.29, as the content of an identifier. */
export function extension(id: string, content: Der, isCritical?: 'critical'): Der {
  const marks = isCritical === undefined ? [] : [isTrue()];
  return sequence(identifier(id), ...marks, octets(content));
}

type Fields = readonly [Der, Der, Der, Der, Der, Der, Der];

/** Version, serial number, algorithm, issuer, validity, subject and public key of a certificate. */
export function readFields(pem: string): Fields {
  const [fields] = readParts(new X509Certificate(pem).raw);
  // Every certificate of the third version has them.
  return readParts(fields as Der) as unknown as Fields;
}

/** How others call a key: a hash of its bits (RFC 5280, 4.2.1.2). */
export function hashKey(publicKey: Der): Buffer {
  const key = readContent(readParts(publicKey)[1] as Der).subarray(1);
  return createHash('sha1').update(key).digest();
}

/** Random, and positive as a signed number, which the standard asks for. */
function serialNumber(): Buffer {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01;
  return bytes;
}
