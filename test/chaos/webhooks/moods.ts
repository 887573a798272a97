import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** How a merchant's receiver takes a message. */
export type Mood =
  | 'accepts'
  | 'huge answer'
  | 'fails'
  | 'asks to wait'
  | 'resets'
  | 'closes at once'
  | 'hangs'
  | 'drips';

/** Of a hundred first attempts: those that are over at once, and those that last until the worker gives up. */
const SOON: readonly (readonly [Mood, number])[] = [
  ['huge answer', 4],
  ['fails', 3],
  ['asks to wait', 2],
  ['resets', 2],
  ['closes at once', 2],
];
const SLOW: readonly (readonly [Mood, number])[] = [
  ['hangs', 1],
  ['drips', 1],
];
/** Of an answer 16 KiB are read at most (rules/webhooks 6). */
const HUGE_BYTES = 1_000_000;
const DRIP_EVERY_MS = 1_000;

/**
 * The same for the same message at the same endpoint whenever it comes. Only the first attempt is met with
 * anything but a success, so that the longest wait of the schedule is its first, of 5 s.
 */
export function chooseMood(
  seed: number,
  delivery: string,
  attempt: number,
  isPatient: boolean,
): Mood {
  if (attempt > 1) return 'accepts';
  const digest = createHash('sha256').update(`${seed} ${delivery}`).digest();
  let left = digest.readUInt32BE(0) % 100;
  for (const [mood, share] of isPatient ? [...SOON, ...SLOW] : SOON) {
    if (left < share) return mood;
    left -= share;
  }
  return 'accepts';
}

/** Answers a request that was read. @returns whether it was a whole success. */
export function answer(mood: Mood, response: ServerResponse): boolean {
  switch (mood) {
    case 'accepts':
      response.writeHead(204).end();
      return true;
    case 'huge answer':
      response.writeHead(200).end(Buffer.alloc(HUGE_BYTES));
      return true;
    case 'fails':
      response.writeHead(500).end('broken');
      return false;
    case 'asks to wait':
      response.writeHead(429, { 'retry-after': '1' }).end();
      return false;
    case 'resets':
      response.req.socket.resetAndDestroy();
      return false;
    case 'drips':
      drip(response);
      return false;
    case 'closes at once':
    case 'hangs':
      return false;
  }
}

function drip(response: ServerResponse): void {
  response.writeHead(200).flushHeaders();
  const timer = setInterval(() => response.write('.'), DRIP_EVERY_MS);
  response.once('close', () => clearInterval(timer));
}
