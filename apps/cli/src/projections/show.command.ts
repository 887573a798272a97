import process from 'node:process';
import { SubCommand } from 'nest-commander';
import { Options } from '../options.js';
import { print } from '../output.js';
import { ShareBar } from '../progress-bar.js';
import type { StoreCommandOptions } from '../store-command.js';
import { describeBuild, printBuild, sayBuild } from './build-text.js';
import { BuildWatch, type WatchedMoment } from './build-watch.js';
import { printReadModels } from './list-text.js';
import { ReadModelsCommand, requireReadModel } from './read-models-command.js';

interface ShowOptions extends StoreCommandOptions {
  readonly watch?: boolean;
}

@SubCommand({
  name: 'show',
  arguments: '<name>',
  description:
    'show a read model and how far its build is: events done and to do, events a second and the time left, for each partition',
})
@Options({
  '--watch': 'go on once a second until the build is over; with --json a line each time',
})
export class ShowReadModel extends ReadModelsCommand {
  async run([name = '']: string[], options: ShowOptions): Promise<void> {
    const { json: isJson = false, watch: isWatching = false } = options;
    const { formerKeptMs } = this;
    await this.withReadModels(options, async (ledger) => {
      const { readModel } = await requireReadModel(ledger, name);
      const watch = new BuildWatch(ledger, readModel, formerKeptMs);
      if (isWatching) return printWatched(watch, isJson);
      const moment = await watch.measure();
      print(isJson, describeMoment(moment), printMoment(moment));
    });
  }
}

/** Lines as the build goes on, for programs; a bar on a terminal, or a line each time, and the table at the end. */
async function printWatched(watch: BuildWatch, isJson: boolean): Promise<void> {
  const bar = new ShareBar('building', process.stderr);
  for await (const moment of watch.follow()) {
    if (isJson) console.log(JSON.stringify(describeMoment(moment)));
    else if (moment.isOver) {
      bar.clear();
      console.log(printMoment(moment));
    } else if (process.stderr.isTTY) {
      const { eventsPerSecond = 0 } = moment.pace ?? {};
      bar.draw(moment.look.share, `building, ${Math.round(eventsPerSecond)} events/s`);
    } else console.log(sayBuild(moment.look, moment.pace));
  }
}

function printMoment({ report, look, pace }: WatchedMoment): string {
  const described = printReadModels(report);
  if (look.partitions.length === 0) return described;
  return [described, '', printBuild(look, pace)].join('\n');
}

function describeMoment({ report, look, pace, isOver }: WatchedMoment) {
  const { head, headAgeSeconds, readModels } = report;
  return { ...readModels[0], head, headAgeSeconds, build: describeBuild(look, pace), isOver };
}
