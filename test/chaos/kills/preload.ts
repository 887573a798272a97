/**
 * Loaded into the programs of a standalone before they start (`node --import`). Where a list is kept, it notes an event
 * that a program is about to send for the first time; where a gate is shut, it ends or stops the process right before
 * it sends the named text, or right before it reads the answer, once; or right before it changes a file, by a text such
 * as `rename name`. List and gate are files beside each other (`?folder=`).
 */
import { appendFileSync, promises, readFileSync, renameSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Gate } from './gate.js';

/** The signal comes within microseconds, though maybe not before the next line is run. */
const UNTIL_STOPPED_MS = 100;
/** A type of events, after which other bytes may come, or a webhook that is about to be delivered. */
const STEPS = /\b(?:[a-z_]+\.[a-z_]+\.v\d|webhook-id)/g;

const folder = fileURLToPath(new URL(import.meta.url).searchParams.get('folder') ?? '');
const gateFile = path.join(folder, 'gate');
const listFile = path.join(folder, 'list');
const program = path.basename(process.argv[1] ?? '', '.js');

// Sockets and streams of HTTP/2 inherit it; their bytes are not encrypted yet.
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on its own object
const write = Duplex.prototype.write as (this: Duplex, ...args: unknown[]) => boolean;

Duplex.prototype.write = function (this: Duplex, ...args: unknown[]): boolean {
  const [sent] = args;
  if (typeof sent === 'string' || sent instanceof Uint8Array) {
    passGate(this, Buffer.from(sent as string));
  }
  return write.apply(this, args);
};

for (const act of ['appendFile', 'mkdtemp', 'rename', 'rm', 'writeFile'] as const) {
  const change = promises[act] as (...given: unknown[]) => Promise<unknown>;
  Object.assign(promises, {
    [act]: (...given: unknown[]) => {
      passFileGate(`${act} ${given.filter((each) => typeof each === 'string').join(' ')}`);
      return change(...given);
    },
  });
}
syncBuiltinESMExports();

function passFileGate(text: string): void {
  const gate = readGate();
  if (gate === undefined || gate.lists || gate.program !== program) return;
  const [act = '', part = ''] = gate.text.split(' ');
  if (!text.startsWith(`${act} `) || !text.includes(part)) return;
  renameSync(gateFile, `${gateFile}.passed`);
  end(gate.signal);
}

function passGate(stream: Duplex, sent: Buffer): void {
  const gate = readGate();
  if (gate === undefined) return;
  if (gate.lists) {
    for (const [text] of sent.toString('latin1').matchAll(STEPS)) {
      appendFileSync(listFile, `${program} ${text}\n`);
    }
  } else if (gate.program === program && sent.includes(gate.text)) {
    renameSync(gateFile, `${gateFile}.${gate.isAnswered === true ? 'sent' : 'passed'}`);
    if (gate.isAnswered === true) endAtAnswer(stream, gate.signal);
    else end(gate.signal);
  }
}

/** The next bytes that come are the answer: no other call uses the stream meanwhile. */
function endAtAnswer(stream: Duplex, signal: NodeJS.Signals): void {
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    stream.push = push;
    renameSync(`${gateFile}.sent`, `${gateFile}.passed`);
    end(signal);
    return push(chunk, encoding);
  };
}

function end(signal: NodeJS.Signals): void {
  // The bookkeeper, whose work it does: they go down together.
  if (program === 'books-files') process.kill(process.ppid, signal);
  process.kill(process.pid, signal);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, UNTIL_STOPPED_MS);
}

/** @returns undefined where the way is free. */
function readGate(): Gate | undefined {
  try {
    // The chaos run wrote it, in this form.
    return JSON.parse(readFileSync(gateFile, 'utf8')) as Gate;
  } catch {
    return undefined;
  }
}
