import type { BuildLook, BuildPace } from '#read-model-operations';
import { table } from '../output.js';
import { sayCount, sayDuration } from './sizes.js';

const HEAD = ['PARTITION', 'GENERATION', 'EVENTS DONE', 'EVENTS TO DO', 'SHARE', 'PARKED'];

/** How far a build is, for people: a row for each partition. */
export function printBuild(look: BuildLook, pace: BuildPace | undefined): string {
  const rows = look.partitions.map(
    ({ partition, generation, done, target, share, parkedStreams }) => [
      ...[String(partition), String(generation), sayCount(done), sayLeft(done, target)],
      ...[sayShare(share), sayCount(parkedStreams)],
    ],
  );
  return [table(HEAD, rows), '', sayBuild(look, pace)].join('\n');
}

/** How far a build is, in one line. */
export function sayBuild({ done, target, share }: BuildLook, pace: BuildPace | undefined): string {
  const of = target === null ? '' : ` of ${sayCount(target)}`;
  const rate = pace === undefined ? '' : `, ${sayCount(pace.eventsPerSecond)} events/s`;
  const { secondsLeft = null } = pace ?? {};
  const left = secondsLeft === null ? '' : `, about ${sayDuration(secondsLeft)} left`;
  return `${sayShare(share)}: ${sayCount(done)}${of} events${rate}${left}.`;
}

/** A build for programs. */
export function describeBuild(look: BuildLook, pace: BuildPace | undefined) {
  const { partitions, done, target, share } = look;
  const { eventsPerSecond = null, secondsLeft = null } = pace ?? {};
  return {
    ...{ done, target, toDo: target === null ? null : Math.max(0, target - done) },
    ...{ share, eventsPerSecond, secondsLeft, partitions },
  };
}

function sayLeft(done: number, target: number | null): string {
  return target === null ? 'unknown' : sayCount(Math.max(0, target - done));
}

/** 100 % is the end alone. */
function sayShare(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
