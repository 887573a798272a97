/**
 * Durable appends of single events, against the same server with storing switched off. Each server
 * is a process of its own, and this process is the client; the two take turns in several rounds, so
 * that a slow moment of the machine falls on both.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { EventStoreDBClient, jsonEvent, type JSONEventData } from '@eventstore/db-client';
import { readConnectionString } from '../support/connection-string.js';
import { measureFollowers } from './followers.js';
import { median, progress, type BenchOptions, type BenchResult } from './benchmark.js';

export const description =
  'durable single-event appends, 64 in flight, against the same server with storing switched off';

const DEFAULT_EVENTS = 1_000_000;
const ROUNDS = 7;
const ROUND_MS = 2000;
const IN_FLIGHT = 64;
const STREAMS = 5000;
const EVENTS_A_LOAD = 100;
const LOADS_IN_FLIGHT = 8;
const MB = 1024 * 1024;

interface StoreProcess {
  readonly child: ChildProcess;
  readonly client: EventStoreDBClient;
  readonly dataDir: string;
}

export async function run(options: BenchOptions): Promise<BenchResult> {
  const here = import.meta.dirname;
  const main = path.join(here, '../../libs/embedded-event-store/src/main.js');
  const durable = await startStore(main);
  const discarding = await startStore(path.join(here, 'discarding-store.js'));
  try {
    const { values, limits, ratios } = await compare(durable, discarding);
    await stopStore(discarding);
    const appendsPerSecond = await measureConcurrency(durable.client);
    const extra = await measureLoaded(durable, options.events ?? DEFAULT_EVENTS);
    return {
      value: median(values),
      limit: median(limits),
      unit: 'appends/s',
      ratios,
      extra: { appendsPerSecond, ...extra },
    };
  } finally {
    await stopStore(discarding);
    await stopStore(durable);
  }
}

async function compare(
  durable: StoreProcess,
  discarding: StoreProcess,
): Promise<{ values: number[]; limits: number[]; ratios: number[] }> {
  const values: number[] = [];
  const limits: number[] = [];
  const ratios: number[] = [];
  for (const { client } of [durable, discarding]) await appendFor(client, IN_FLIGHT, ROUND_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    const value = await appendFor(durable.client, IN_FLIGHT, ROUND_MS);
    const limit = await appendFor(discarding.client, IN_FLIGHT, ROUND_MS);
    values.push(value);
    limits.push(limit);
    ratios.push(value / limit);
    progress(`round ${round + 1}: ${value.toFixed(0)} durable, ${limit.toFixed(0)} discarded`);
  }
  return { values, limits, ratios };
}

async function measureConcurrency(client: EventStoreDBClient): Promise<Record<string, number>> {
  const rates: Record<string, number> = {};
  for (const inFlight of [1, 16, 64, 256]) {
    rates[inFlight] = Math.round(await appendFor(client, inFlight, ROUND_MS));
    progress(`${inFlight} in flight: ${rates[inFlight]} appends/s`);
  }
  return rates;
}

async function measureLoaded(store: StoreProcess, events: number): Promise<object> {
  progress(`loading ${events} events ...`);
  await load(store.client, events);
  const started = performance.now();
  let read = 0;
  for await (const _event of store.client.readAll({ maxCount: Math.min(events, 300_000) })) {
    read += 1;
  }
  const readAllPerSecond = Math.round((read / (performance.now() - started)) * 1000);
  const total = await lastPosition(store.client);
  const { blocks } = await stat(path.join(store.dataDir, 'events.mdb'));
  const memory = await readMemory(store.child);
  return {
    readAllPerSecond,
    followedPerSecond: await measureFollowers(store.client, total),
    bytesPerEvent: Math.round((blocks * 512) / total),
    events: total,
    residentMemoryMb: memory.residentMb,
    // The rest of the resident memory is the page cache of the mapped file, which the kernel reclaims.
    anonymousMemoryMb: memory.anonymousMb,
  };
}

/** Appends single events for `durationMs`, `inFlight` at a time; answers with appends per second. */
async function appendFor(
  client: EventStoreDBClient,
  inFlight: number,
  durationMs: number,
): Promise<number> {
  await client.appendToStream('bench-warm-up', [sampleEvent()]);
  const started = performance.now();
  let done = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - started < durationMs) {
      await client.appendToStream(sampleStream(), [sampleEvent()]);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return (done / (performance.now() - started)) * 1000;
}

async function load(client: EventStoreDBClient, events: number): Promise<void> {
  let left = Math.ceil(events / EVENTS_A_LOAD);
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await client.appendToStream(
        sampleStream(),
        Array.from({ length: EVENTS_A_LOAD }, sampleEvent),
      );
    }
  };
  await Promise.all(Array.from({ length: LOADS_IN_FLIGHT }, worker));
}

/** About 110 bytes of JSON, as an event of the ledger has. */
function sampleEvent(): JSONEventData {
  const data = { subscriptionId: 'sub_01HZX3', at: '2026-01-01T00:00:00.000Z', amountMinor: '999' };
  return jsonEvent({ type: 'subscription.renewed.v1', data: { ...data, currency: 'USD' } });
}

function sampleStream(): string {
  return `subscription-bench-${Math.floor(Math.random() * STREAMS)}`;
}

async function lastPosition(client: EventStoreDBClient): Promise<number> {
  for await (const { commitPosition } of client.readAll({
    direction: 'backwards',
    fromPosition: 'end',
    maxCount: 1,
  })) {
    return Number(commitPosition ?? 0n);
  }
  return 0;
}

async function readMemory(
  child: ChildProcess,
): Promise<{ residentMb: number; anonymousMb: number }> {
  const status = await readFile(`/proc/${child.pid ?? 0}/status`, 'utf8').catch(() => '');
  const megabytes = (key: string): number => {
    const match = new RegExp(`${key}:\\s+(\\d+) kB`).exec(status);
    return Math.round((Number(match?.[1] ?? 0) * 1024) / MB);
  };
  return { residentMb: megabytes('VmRSS'), anonymousMb: megabytes('RssAnon') };
}

async function startStore(program: string): Promise<StoreProcess> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'subledger-bench-'));
  const args = [program, '--port', '0', '--data-dir', dataDir, '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const connectionString = readConnectionString(JSON.parse(line) as Record<string, unknown>);
    return { child, client: EventStoreDBClient.connectionString(connectionString), dataDir };
  }
  throw new Error(`${program} did not start.`);
}

/** The client needs no farewell: its calls end with the server. */
async function stopStore({ child, dataDir }: StoreProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
  await rm(dataDir, { recursive: true, force: true });
}
