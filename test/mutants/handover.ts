import type { Mutant } from './mutant.js';

const SERVER = 'apps/bookkeeper/src/finance/report-server.ts';
const SPECS = ['apps/bookkeeper/src/finance/report-server.int.spec.ts'];

/** Guards of the reports that the API hands on to a bookkeeper (rules/finance 12). */
export const HANDOVER_MUTANTS: readonly Mutant[] = [
  {
    name: 'a bookkeeper answers questions that are not signed',
    harm: 'Each program of the network reads the books of all apps.',
    file: SERVER,
    guard: 'if (!isSignedQuestion(keys(), url, { signature, nowMs: Date.now() })) return 401;',
    without: 'isSignedQuestion(keys(), url, { signature, nowMs: Date.now() });',
    specs: SPECS,
  },
  {
    name: 'a report goes on when its client has hung up',
    harm: 'Callers who try again take all reports of the bookkeeper, for nothing.',
    file: SERVER,
    guard: "response.once('close', () => gone.abort());",
    without: '',
    specs: SPECS,
  },
  {
    name: 'a report that breaks off ends as a whole one',
    harm: 'A part of the books is taken for all of them.',
    file: 'apps/bookkeeper/src/finance/report-process.ts',
    guard: 'if (code === 0) return;',
    without: 'if (code !== undefined) return;',
    specs: SPECS,
  },
  {
    name: 'an app has all reports of a bookkeeper',
    harm: 'One app takes the reports from the others.',
    file: 'apps/bookkeeper/src/finance/report-shares.ts',
    guard: ' || ofApp >= REPORTS_OF_APP_AT_ONCE',
    without: '',
    specs: SPECS,
  },
];
