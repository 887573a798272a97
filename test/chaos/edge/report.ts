import type { WireAnswer } from './exchange.js';
import type { HostileRequest } from './hostile-request.js';

/** Something that must not be, with the line that does it again. */
export interface Finding {
  readonly what: string;
  /** The answer, as far as it tells more. */
  readonly seen: string;
  readonly replay: string;
}

interface Origin {
  readonly asked: HostileRequest;
  /** Whether the request was accepted: its events are meant to be there. */
  readonly isDone: boolean;
}

/** How requests were answered, over a whole run. */
export class FuzzReport {
  readonly findings: Finding[] = [];
  readonly byStatus = new Map<number, number>();
  readonly byOperation = new Map<string, { requests: number; accepted: number }>();
  largestBytes = 0;
  /** How many were appended while the requests were answered. */
  events = 0;
  readonly #tookMs: number[] = [];
  readonly #origins = new Map<string, Origin>();

  constructor(private readonly seed: number) {}

  answered(
    asked: HostileRequest,
    { status, bytes, tookMs, headers }: WireAnswer,
    isDone: boolean,
    complaints: readonly string[],
  ): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    this.#count(asked, status < 300);
    this.#tookMs.push(tookMs);
    this.largestBytes = Math.max(this.largestBytes, bytes.length);
    const requestId = headers['x-request-id'];
    if (typeof requestId === 'string') this.#origins.set(requestId, { asked, isDone });
    const seen = bytes.subarray(0, 400).toString('utf8');
    if (complaints.length > 0) this.add(asked, `${status}: ${complaints.join('; ')}`, seen);
  }

  unanswered(asked: HostileRequest, why: string): void {
    this.#count(asked, false);
    this.add(asked, why);
  }

  findOrigin(requestId: string): Origin | undefined {
    return this.#origins.get(requestId);
  }

  add(asked: HostileRequest, what: string, seen = ''): void {
    this.findings.push({ what, seen, replay: this.#describeReplay(asked) });
  }

  /** A finding that no request is known for. */
  addUnknown(what: string): void {
    this.findings.push({ what, seen: '', replay: `npm run chaos -- edge --seed ${this.seed}` });
  }

  get requests(): number {
    return [...this.byOperation.values()].reduce((sum, { requests }) => sum + requests, 0);
  }

  /** How much of it was no refusal: a fuzz that gets nowhere finds nothing. */
  get acceptedShare(): number {
    const accepted = [...this.byOperation.values()].reduce((sum, one) => sum + one.accepted, 0);
    return accepted / this.requests;
  }

  /** @param quantile 0.5 for the median, 1 for the slowest answer. */
  tookMs(quantile: number): number {
    const sorted = this.#tookMs.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0;
  }

  #count({ operation: { id } }: HostileRequest, isAccepted: boolean): void {
    const { requests, accepted } = this.byOperation.get(id) ?? { requests: 0, accepted: 0 };
    const more = { requests: requests + 1, accepted: accepted + (isAccepted ? 1 : 0) };
    this.byOperation.set(id, more);
  }

  #describeReplay({ index, operation, wire, changes }: HostileRequest): string {
    const { method, target } = wire;
    const seen = changes.length === 0 ? 'unchanged' : changes.join('; ');
    const line = `npm run chaos -- edge --seed ${this.seed} --only ${index}`;
    const address = JSON.stringify(target.slice(0, 200));
    return `${line}  # ${operation.id}: ${method} ${address} (${seen})`;
  }
}
