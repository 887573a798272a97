import { describeDifference, type VerificationReport } from '#verification';
import { sayCount } from './sizes.js';

export interface VerifiedGeneration {
  readonly readModel: string;
  readonly generation: number;
  readonly state: string;
  readonly report: VerificationReport;
}

/** The outcome for people: each difference with both versions, then the counts. */
export function printVerification({
  readModel,
  generation,
  state,
  report,
}: VerifiedGeneration): string {
  const { checked, differences, total, uncompared, parked } = report;
  const left = total - differences.length;
  const counts = [
    `${sayCount(checked)} documents compared`,
    total === 0
      ? 'no difference'
      : `${sayCount(total)} ${total === 1 ? 'difference' : 'differences'}`,
    ...(uncompared === 0
      ? []
      : [`${sayCount(uncompared)} not compared, since they changed all the time`]),
    ...(parked === 0
      ? []
      : [`${sayCount(parked)} streams parked, compared up to the event that parks them`]),
  ];
  return [
    ...differences.map((difference) => `${describeDifference(difference)}.`),
    ...(left === 0 ? [] : [`${sayCount(left)} further differences.`]),
    `${readModel}, generation ${generation} (${state}): ${counts.join('; ')}.`,
  ].join('\n');
}
