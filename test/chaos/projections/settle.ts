import { eventually } from '../../support/eventually.js';
import type { ProjectionsStage } from './stage.js';

const SETTLED_WITHIN_MS = 90_000;

/**
 * Lets everything go on that stands still, and waits until each partition is as the acts say and the gate has spoken.
 *
 * @throws Error saying where they stand instead.
 */
export async function settle(stage: ProjectionsStage): Promise<void> {
  const { ledger } = stage;
  stage.resumeAll();
  const { building } = await ledger.acts();
  // One with a rate may take longer than a round may.
  if (building !== null && building.maxPerSecond !== null) {
    await ledger.act({ kind: 'DropGeneration', generation: building.generation });
  }
  await ledger.act({ kind: 'ResumeRebuild' });
  let seen = '';
  const isSettled = async () => {
    const acts = await ledger.acts();
    const places = await ledger.places();
    seen = `${places.join(', ')} by ${JSON.stringify(acts)}`;
    const isJudged = acts.building === null || (acts.building.hold && acts.building.gate !== null);
    const built = String(acts.building?.generation ?? '-');
    // A former generation that Redis has lost is not built again.
    const former = ['-', String(acts.former?.generation ?? '-')];
    const isPlaced = (text: string) => {
      const [checkpoint = '', inBuilding, kept = ''] = text.split(' ');
      return checkpoint === String(acts.answering) && inBuilding === built && former.includes(kept);
    };
    return isJudged && places.every(isPlaced);
  };
  await eventually(isSettled, { limitMs: SETTLED_WITHIN_MS }).catch(() => {
    throw new Error(`partitions are not as the acts say within ${SETTLED_WITHIN_MS} ms: ${seen}`);
  });
}
