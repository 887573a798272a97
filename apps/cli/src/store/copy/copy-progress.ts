import type { Position } from '#domain/event';
import type { CopyWindow } from './copy-windows.js';
import type { CopyObserver } from './store-copy.js';
import type { Terminal } from '../../progress-bar.js';

const WIDTH = 30;
/** Often enough to look alive, seldom enough to cost nothing. */
const REDRAW_MS = 200;

/** Shows how far a copy is, at which rate, and how long it will take; silent where the output is no terminal. */
export class CopyProgress implements CopyObserver {
  /** Written in this run. */
  events = 0;
  /** How long the last events had been in the source when they were in the target. */
  behindMs = 0;
  /** How often all that the source had was in the target. */
  #isFollowing = false;
  #drawnAtMs = -Infinity;
  #pass = { from: 0, to: 0, startedAtMs: 0, events: 0 };
  readonly #caughtUp: (() => void)[] = [];

  constructor(
    private readonly terminal: Terminal,
    private readonly nowMs = () => performance.now(),
  ) {}

  /** @param act called once, when all that the source had at the beginning is in the target. */
  onceCaughtUp(act: () => void): void {
    this.#caughtUp.push(act);
  }

  begins(after: Position, head: Position): void {
    const pass = { from: Number(after), to: Number(head), startedAtMs: this.nowMs(), events: 0 };
    this.#pass = pass;
    this.#isFollowing = false;
  }

  wrote({ events, upTo, isCaughtUp }: CopyWindow): void {
    this.events += events.length;
    this.#pass.events += events.length;
    const [oldest] = events;
    if (oldest !== undefined) this.behindMs = Math.max(0, Date.now() - oldest.createdAtMs);
    if (isCaughtUp) {
      this.behindMs = 0;
      this.#isFollowing = true;
      this.clear();
      for (const act of this.#caughtUp.splice(0)) act();
    }
    this.#draw(
      this.#isFollowing ? this.#followingLine() : copyingLine(this.#pass, upTo, this.nowMs()),
    );
  }

  /** While both stores are compared. */
  compared(events: number): void {
    this.#draw(`comparing  ${format(events)} events read`);
  }

  clear(): void {
    this.#drawnAtMs = -Infinity;
    if (this.terminal.isTTY === true) this.terminal.write('\r\u001b[K');
  }

  #followingLine(): string {
    const behind = (this.behindMs / 1000).toFixed(1);
    return `following  ${format(this.events)} events copied, ${behind} s behind`;
  }

  #draw(line: string): void {
    const nowMs = this.nowMs();
    if (this.terminal.isTTY !== true || nowMs - this.#drawnAtMs < REDRAW_MS) return;
    this.#drawnAtMs = nowMs;
    this.terminal.write(`\r\u001b[K${line}`);
  }
}

/** `[###...] 45 %  4,500 events, 1,200/s, 3 min left`: the share is that of the source's log. */
function copyingLine(
  {
    from,
    to,
    startedAtMs,
    events,
  }: { from: number; to: number; startedAtMs: number; events: number },
  upTo: Position,
  nowMs: number,
): string {
  const done = Math.max(0, Number(upTo) - from);
  const share = to <= from ? 1 : Math.min(1, done / (to - from));
  const seconds = Math.max(0.001, (nowMs - startedAtMs) / 1000);
  const bar = '#'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '.');
  const left = share === 0 ? '' : `, ${formatDuration((seconds * (1 - share)) / share)} left`;
  const rate = Math.round(events / seconds);
  return `[${bar}] ${Math.floor(share * 100)} %  ${format(events)} events, ${format(rate)}/s${left}`;
}

function format(number: number): string {
  return number.toLocaleString('en-US');
}

function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
