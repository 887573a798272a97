import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStoreStartRefused } from '../failures.js';
import { lockDirectory } from './directory-lock.js';

/** Greater than any process id that a system gives out: of a process that has ended. */
const NO_PROCESS = 2 ** 22 + 1;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'directory-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('the lock of a data directory', () => {
  it('is one file, and none when it is given back', () => {
    const unlock = lockDirectory(directory);
    expect(readdirSync(directory)).toEqual(['event-store.lock']);
    unlock();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('clears away the drafts of processes that have ended, and of no others', () => {
    const left = [`event-store.lock.${NO_PROCESS}`, `event-store.lock.stale.${NO_PROCESS}`];
    const others = [`event-store.lock.${process.ppid}`, 'event-store.lock.old', 'events.mdb'];
    for (const name of [...left, ...others]) writeFileSync(path.join(directory, name), '');
    lockDirectory(directory)();
    expect(readdirSync(directory).sort()).toEqual([...others].sort());
  });

  it('leaves no draft behind on a full disk', () => {
    // Whatever is written to this device finds it full.
    symlinkSync('/dev/full', path.join(directory, `event-store.lock.${process.pid}`));
    expect(() => lockDirectory(directory)).toThrow(EventStoreStartRefused);
    expect(readdirSync(directory)).toEqual([]);
  });
});
