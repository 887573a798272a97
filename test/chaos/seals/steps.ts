import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BookkeeperPair, GatedBookkeeper } from './pair.js';

/** A moment in the life of a bookkeeper at which it is killed. */
export interface SealStep {
  readonly name: string;
  /** It is about to send this text, or is about to read the answer to it. */
  readonly text: string;
  readonly isAnswered?: true;
  /** Brings a bookkeeper there, at whose gate `shut` was called before. @returns that bookkeeper. */
  readonly provoke: (pair: BookkeeperPair, count: number, shut: Shut) => Promise<GatedBookkeeper>;
}

type Shut = (victim: GatedBookkeeper) => void;

const RENEW = hashScript('renew-lease-2');

/** New events come, and the one that seals them dies. */
async function sealing(pair: BookkeeperPair, count: number, shut: Shut) {
  const { holder } = await pair.findRoles();
  shut(holder);
  await pair.add(count);
  return holder;
}

/** The one that seals dies, and then the one that takes over. */
async function takingOver(pair: BookkeeperPair, count: number, shut: Shut) {
  const { holder, standby } = await pair.findRoles();
  await holder.kill();
  await pair.add(count);
  shut(standby);
  await pair.freeLease();
  return standby;
}

/** The one that seals goes on for a moment while another one takes over. */
async function losingTheLease(pair: BookkeeperPair, count: number, shut: Shut) {
  const { holder } = await pair.findRoles();
  shut(holder);
  await pair.takeLeaseAway();
  await pair.add(count);
  return holder;
}

/** All steps of sealing, the choice of the origin first: it is chosen once. */
export const SEAL_STEPS: readonly SealStep[] = [
  { name: 'is about to choose the origin', text: 'subledger-namespaces', provoke: sealing },
  ...around('append a tile', 'appended a tile', 'seal.tile.v1'),
  ...around('append a checkpoint', 'appended a checkpoint', 'seal.checkpoint.v1'),
  ...around('compare the last checkpoint', 'compared the last checkpoint', 'seal_checkpoints-'),
  { name: 'has taken the lease', text: 'seal_tiles-', provoke: takingOver },
  { name: 'is about to renew its lease', text: RENEW, provoke: sealing },
  { name: 'has lost its lease', text: RENEW, isAnswered: true, provoke: losingTheLease },
];

function around(before: string, answered: string, text: string): SealStep[] {
  return [
    { name: `is about to ${before}`, text, provoke: sealing },
    { name: `has ${answered}`, text, isAnswered: true, provoke: sealing },
  ];
}

function hashScript(name: string): string {
  const lua = readFileSync(`libs/projection-engine/src/lua/${name}.lua`, 'utf8');
  return createHash('sha1').update(lua).digest('hex');
}
