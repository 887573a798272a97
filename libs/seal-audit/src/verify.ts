import { SealReader, type StoredCheckpoint } from '#sealing';
import { Fault } from '#platform';
import { parseCheckpoint, parseNote } from '#seal';
import { compareHeld, type HeldCheckpoint } from './against.js';
import { compareLog } from './compare-log.js';
import type { ErasedLeaves } from './erasures.js';
import { type SealFinding, SealFindings } from './seal-findings.js';
import type { KnownKeys } from './known-keys.js';
import type { AuditedStore } from './audited-store.js';
import { TreeCheck } from './tree-check.js';

export interface VerifyOptions {
  readonly store: AuditedStore;
  readonly keys: KnownKeys;
  /** A checkpoint that an auditor holds. */
  readonly held?: HeldCheckpoint | undefined;
  /** Called with the number of events so far, and the size of the tree. */
  readonly onProgress?: (events: number, size: number) => void;
}

/** The result of an audit. */
export interface SealVerification {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  readonly events: number;
  /** Events behind the last checkpoint. */
  readonly unattested: number;
  /** Leaves whose events an erasure took away, by the players' streams. */
  readonly erased: readonly ErasedLeaves[];
  readonly erasedLeaves: number;
  readonly findings: readonly SealFinding[];
  readonly counts: SealFindings['counts'];
  readonly total: number;
}

/**
 * Compares all events with all seals: each leaf has its event and each event its leaf, in order, and each checkpoint its
 * signature and root.
 *
 * @returns undefined where the ledger was never sealed. @throws Fault of the store.
 */
export async function verifySeals(options: VerifyOptions): Promise<SealVerification | undefined> {
  const { store, keys, held } = options;
  const reader = new SealReader(store);
  const last = await reader.findLast();
  if (last === undefined) return undefined;
  const findings = new SealFindings();
  const { size } = last.checkpoint;
  const check = new TreeCheck({ reader, last, keys, findings, wantedSize: held?.size });
  const root = await noting(findings, () => check.run());
  if (held !== undefined) compareHeld(held, size, root, findings);
  const compared = await noting(findings, () => verifyEvents(options, last.checkpoint, findings));
  const events = compared ?? { events: 0, unattested: 0, erased: [], erasedLeaves: 0 };
  const { origin, ...signed } = parseCheckpoint(parseNote(last.checkpoint.note).text);
  const { named, counts, total } = findings;
  const common = { findings: named, counts, total };
  return { origin, size, root: signed.root.toString('base64'), ...events, ...common };
}

async function verifyEvents(
  { store, onProgress }: VerifyOptions,
  tree: StoredCheckpoint,
  findings: SealFindings,
) {
  const compared = await compareLog(store, tree, findings, (_event, _leaf, events) => {
    onProgress?.(events, tree.size);
    return undefined;
  });
  const erasedLeaves = compared.erased.reduce((sum, { leaves }) => sum + leaves, 0);
  return { ...compared, erasedLeaves };
}

/** Seals that cannot be read are a finding, as everything else that differs. */
async function noting<T>(findings: SealFindings, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'undecodable') throw error;
    findings.add({ kind: 'checkpoint', text: `${error.message}.` });
    return undefined;
  }
}
