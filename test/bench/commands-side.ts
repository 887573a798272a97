/** An API before an event store of its own, and the load of commands on it. */
import type { RunningProgram } from '../support/program.js';
import { createCommandsTenant, type CommandsTenant } from './commands-tenant.js';
import { HttpCommands } from './http-commands.js';
import { readSpentMs } from './spent.js';
import type { Stage } from './stage.js';

export const ROUND_SECONDS = 1.5;

const WARM_UP_COMMANDS = 12_000;
const MOST_WARM_UPS = 30;

export interface CommandsSide {
  readonly commands: HttpCommands;
  readonly api: RunningProgram;
  readonly store: RunningProgram;
  readonly tenant: CommandsTenant;
}

/** One round of one side. */
export interface CommandsRound {
  readonly perSecond: number;
  /** Processor time a command, in microseconds. */
  readonly apiUs: number;
  readonly storeUs: number;
}

export async function startSide(stage: Stage): Promise<CommandsSide> {
  const tenant = await createCommandsTenant(stage);
  const api = await stage.start('api', { LOG_LEVEL: 'warn' });
  const commands = new HttpCommands(String(api.ready['url']), tenant);
  return { commands, api, store: stage.store, tenant };
}

/** Until the compiler has seen enough: on a busy machine a number of rounds says little about that. */
export async function warmUp(side: CommandsSide): Promise<void> {
  let done = 0;
  for (let n = 0; n < MOST_WARM_UPS && done < WARM_UP_COMMANDS; n += 1) {
    done += (await oneRound(side)).perSecond * ROUND_SECONDS;
  }
}

export async function oneRound({ api, store, commands }: CommandsSide): Promise<CommandsRound> {
  const [apiBefore, storeBefore, startedAt] = [cpuUs(api), cpuUs(store), performance.now()];
  const perSecond = await commands.run(ROUND_SECONDS);
  const done = (perSecond * (performance.now() - startedAt)) / 1000;
  return {
    perSecond,
    apiUs: (cpuUs(api) - apiBefore) / done,
    storeUs: (cpuUs(store) - storeBefore) / done,
  };
}

/** The processor time of a process, in its own code and in the kernel's. */
function cpuUs({ pid }: RunningProgram): number {
  return readSpentMs(pid) * 1_000;
}

export function describeRound({ perSecond, apiUs, storeUs }: CommandsRound): string {
  return `${perSecond.toFixed(0)}/s, api ${apiUs.toFixed(0)} + store ${storeUs.toFixed(0)} us`;
}
