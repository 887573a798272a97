/**
 * Loaded into a program before it starts (`node --import`): stops the process (SIGSTOP) right before it sends
 * bytes in which all texts of its gate stand, once. The gate is a file, which is empty from then on.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { Duplex } from 'node:stream';

/** The signal comes within microseconds, though maybe not before the next line is run. */
const UNTIL_STOPPED_MS = 100;

const file = process.env['GATE_FILE'] ?? '';
// Sockets and streams of HTTP/2 inherit it; their bytes are not encrypted yet.
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on its own object
const write = Duplex.prototype.write as (this: Duplex, ...args: unknown[]) => boolean;

Duplex.prototype.write = function (this: Duplex, ...args: unknown[]): boolean {
  stopAtGate(args[0]);
  return write.apply(this, args);
};

function stopAtGate(sent: unknown): void {
  const gate = readFileSync(file, 'utf8');
  if (gate === '' || !isPassedBy(JSON.parse(gate) as string[], sent)) return;
  writeFileSync(file, '');
  process.kill(process.pid, 'SIGSTOP');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, UNTIL_STOPPED_MS);
}

function isPassedBy(texts: readonly string[], sent: unknown): boolean {
  if (typeof sent !== 'string' && !(sent instanceof Uint8Array)) return false;
  const bytes = Buffer.from(sent as string);
  return texts.every((text) => bytes.includes(text));
}
