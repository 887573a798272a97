/**
 * Checks a proof that a ledger sealed an event (`*.tlog-proof`), offline and by itself: this file needs Node and
 * nothing else, and shares no code with the ledger. It can be read from top to bottom:
 *
 * 1. The proof has a line for the event, its number, hashes, and a checkpoint: a text that the ledger signed.
 * 2. The signature below the checkpoint must be that of the key which the reader got from the ledger's owner.
 * 3. The line, hashed together with the hashes of the proof, must give the root that the checkpoint names.
 *
 * Formats: C2SP tlog-proof, tlog-checkpoint, signed-note; RFC 6962, section 2.1.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';

const HELP = `Usage: node tools/seal-check.mjs FILE.tlog-proof --key VKEY [--line TEXT] [--json]

Checks offline that the ledger of a key sealed the event of a proof.

  --key VKEY   the ledger's verifier key, NAME+ID+BASE64, or a file with it
  --line TEXT  the line that the event must have, or a file with it
  --json       print one JSON object

Ends with 0 where the proof is right, with 1 where it is not, and with 2 where the command cannot be understood.
`;

/** The proof, the key or the line is wrong: the message says how. */
class Refused extends Error {}

main();

function main() {
  const options = readOptions();
  if (options.values.help) return void process.stdout.write(HELP);
  const [file, ...others] = options.positionals;
  const { key, line, json } = options.values;
  if (file === undefined || others.length > 0 || key === undefined)
    return usage('Name a proof and a --key.');
  try {
    const sealed = checkProof(readFileSync(file, 'utf8'), readKey(textOrFile(key).trim()));
    if (line !== undefined && textOrFile(line).trimEnd() !== sealed.line.trimEnd())
      refuse('the line that was sealed is another one');
    report(json, { ok: true, ...sealed }, describe(sealed));
  } catch (error) {
    if (!(error instanceof Refused) && error.code !== 'ENOENT') throw error;
    report(json, { ok: false, reason: error.message }, `Refused: ${error.message}`);
    process.exitCode = 1;
  }
}

/** The whole check; returns its result. */
function checkProof(text, key) {
  const proof = parseProof(text);
  const checkpoint = openCheckpoint(proof.note, key);
  const { index } = proof;
  if (index >= checkpoint.size)
    refuse(`a tree of ${checkpoint.size} leaves has none of number ${index}`);
  const root = climb(sha256(Buffer.of(0), proof.line), index, checkpoint.size, proof.hashes);
  if (!root.equals(checkpoint.root))
    refuse('the line and the hashes do not give the root that was signed');
  return {
    ...parseLine(proof.line),
    index: Number(index),
    origin: checkpoint.origin,
    size: Number(checkpoint.size),
  };
}

/** The root above a leaf: at each level its sibling is to the right or to the left (RFC 9162, 2.1.3.2). */
function climb(leaf, index, size, hashes) {
  let [node, last, hash] = [index, size - 1n, leaf];
  for (const sibling of hashes) {
    if (last === 0n) refuse('the proof has too many hashes');
    if (node % 2n === 1n || node === last) {
      hash = sha256(Buffer.of(1), sibling, hash);
      // At the right edge of the tree a node may be without a sibling for some levels.
      for (; node % 2n === 0n && node !== 0n; node /= 2n) last /= 2n;
    } else hash = sha256(Buffer.of(1), hash, sibling);
    node /= 2n;
    last /= 2n;
  }
  if (last !== 0n) refuse('the proof has too few hashes');
  return hash;
}

/** Four parts: header, line of the event (as "extra" data), number and hashes; behind an empty line the note. */
function parseProof(text) {
  const [head, ...rest] = text.split('\n\n');
  const [header, extra, index, ...hashes] = head.split('\n');
  const [, line] = /^extra (\S+)$/.exec(extra ?? '') ?? refuse('the proof has no line of an event');
  const [, number] =
    /^index (0|[1-9]\d{0,15})$/.exec(index ?? '') ?? refuse('the proof has no number');
  if (header !== 'c2sp.org/tlog-proof@v1') refuse('the file is no proof (c2sp.org/tlog-proof@v1)');
  return {
    line: decode(line),
    index: BigInt(number),
    hashes: hashes.map((hash) => decode(hash, 32)),
    note: rest.join('\n\n'),
  };
}

/** The checkpoint in a note, when the key of the same name signed it; other signatures are ignored. */
function openCheckpoint(note, key) {
  const end = note.lastIndexOf('\n\n') + 1;
  const text = note.slice(0, end);
  const [, origin, size, root] =
    /^([^\n]+)\n([1-9]\d{0,15})\n([^\n]+)\n$/.exec(text) ??
    refuse('the proof ends in no checkpoint');
  if (origin !== key.name) refuse(`the checkpoint is of ${origin}, and the key of ${key.name}`);
  const signatures = note
    .slice(end + 1)
    .split('\n')
    .map((each) => /^— (\S+) (\S+)$/.exec(each))
    .filter((parts) => parts?.[1] === key.name && decode(parts[2]).toString('hex', 0, 4) === key.id)
    .map(([, , base64]) => decode(base64).subarray(4));
  if (signatures.length === 0) refuse(`the checkpoint has no signature by ${key.name}+${key.id}`);
  const isRight = (signature) => verify(null, Buffer.from(text), key.publicKey, signature);
  if (!signatures.every(isRight)) refuse(`the signature by ${key.name}+${key.id} is wrong`);
  return { origin, size: BigInt(size), root: decode(root, 32) };
}

/** A verifier key: its id is the beginning of a hash of its name, type (1: Ed25519) and bytes. */
function readKey(text) {
  const [, name, id, base64] =
    /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? refuse('the key is not NAME+ID+BASE64');
  const bytes = decode(base64, 33);
  const hash = sha256(Buffer.from(`${name}\n`), bytes);
  if (bytes[0] !== 1 || hash.toString('hex', 0, 4) !== id)
    refuse('the id of the key is not that of its bytes');
  // A public Ed25519 key in DER begins so (RFC 8410).
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)]);
  return { name, id, publicKey: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
}

/** The line of an event: only the name of its stream may have spaces. */
function parseLine(line) {
  const text = line.toString();
  const [, stream, eventId, type, data, metadata] =
    /^([^\n]+) ([^ \n]+) ([^ \n]+) ([0-9a-f]{64}) ([0-9a-f]{64})\n$/.exec(text) ??
    refuse('the line is none of an event');
  return { line: text, stream, eventId, type, dataSha256: data, metadataSha256: metadata };
}

function sha256(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Base64 in its one right spelling. */
function decode(base64, length) {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) refuse(`${JSON.stringify(base64)} is not base64`);
  if (length !== undefined && bytes.length !== length)
    refuse(`${base64} is not of ${length} bytes`);
  return bytes;
}

/** Keys and lines are given as they are, or by a file that has them. */
function textOrFile(value) {
  return /[+ ]/.test(value) ? value : readFileSync(value, 'utf8');
}

function refuse(reason) {
  throw new Refused(`${reason}.`);
}

function describe({ stream, eventId, type, dataSha256, metadataSha256, index, origin, size }) {
  return `Sealed: the ledger ${origin} attests this event as leaf ${index} of ${size}.
stream    ${stream}
event     ${eventId}
type      ${type}
data      sha256 ${dataSha256}
metadata  sha256 ${metadataSha256}`;
}

function report(json, object, text) {
  // A name with control characters must not steer the terminal.
  console.log(json ? JSON.stringify(object) : text.replace(/(?!\n)\p{C}/gu, '?'));
}

function readOptions() {
  const options = {
    help: { type: 'boolean' },
    key: { type: 'string' },
    line: { type: 'string' },
    json: { type: 'boolean' },
  };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    usage(error.message);
    return process.exit();
  }
}

function usage(reason) {
  console.error(`${reason}\n\n${HELP}`);
  process.exitCode = 2;
}
