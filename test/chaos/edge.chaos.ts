import type { ChaosOptions, ChaosResult } from './chaos.js';
import { onStage } from './chaos-stage.js';
import { fuzz } from './edge/fuzz.js';
import type { Finding, FuzzReport } from './edge/report.js';

export const description =
  'hostile requests over every operation (--requests, --seed, --only INDEX)';

const DEFAULT_REQUESTS = 20_000;
/** Of findings of one kind so many are shown with their answer; the others by their line alone. */
const SHOWN_WITH_ANSWER = 1;

/** Sends them to a standalone of its own, and looks at the end whether all of it is still well. */
export function run(options: ChaosOptions): Promise<ChaosResult> {
  const { only, seed = Date.now() % 1_000_000, progress } = options;
  const count = only === undefined ? (options.requests ?? DEFAULT_REQUESTS) : 1;
  const onProgress = (done: number, found: number) =>
    progress(done, count, `requests, ${found} findings`);
  return onStage(async ({ standalone, allAppsToken }) =>
    toResult(
      await fuzz({ standalone, allAppsToken, seed, first: only ?? 0, count, onProgress }),
      seed,
    ),
  );
}

function toResult(report: FuzzReport, seed: number): ChaosResult {
  const ms = (quantile: number) => Number(report.tookMs(quantile).toFixed(1));
  const figures = {
    requests: report.requests,
    seed,
    byStatus: Object.fromEntries([...report.byStatus].sort(([a], [b]) => a - b)),
    byOperation: Object.fromEntries([...report.byOperation].sort()),
    p50Ms: ms(0.5),
    p99Ms: ms(0.99),
    maxMs: ms(1),
    largestAnswerBytes: report.largestBytes,
    events: report.events,
  };
  return { summary: summarize(figures), figures, findings: groupFindings(report.findings) };
}

function summarize(figures: Readonly<Record<string, unknown>>): string {
  return Object.entries(figures)
    .map(([name, value]) => {
      if (typeof value !== 'object' || value === null) return `${name}: ${String(value)}`;
      const rows = Object.entries(value).map(
        ([key, row]) => `  ${key.padEnd(32)} ${JSON.stringify(row).replaceAll(/[{}"]/g, '')}`,
      );
      return [`${name}:`, ...rows].join('\n');
    })
    .join('\n');
}

/** The findings of one kind stand together: one mistake is met many times. */
function groupFindings(findings: readonly Finding[]): readonly string[] {
  const kinds = new Map<string, Finding[]>();
  for (const finding of findings) {
    kinds.set(finding.what, [...(kinds.get(finding.what) ?? []), finding]);
  }
  return [...kinds].map(([what, all]) => {
    const lines = all.map(
      ({ replay, seen }, n) => `  ${replay}${n < SHOWN_WITH_ANSWER ? `\n    ${seen}` : ''}`,
    );
    return [`${what} (${all.length})`, ...lines].join('\n');
  });
}
