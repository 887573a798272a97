import {
  runBackup,
  runRestore,
} from '../../libs/embedded-event-store/src/backup/backup-command.js';
import { runVerify } from '../../libs/embedded-event-store/src/verify/verify-command.js';

const COMMANDS = { backup: runBackup, restore: runRestore, verify: runVerify };

/**
 * Runs such a command line as the program does, in this process: a process for each takes longer to load than to work.
 */
export async function runStoreCommandHere(
  name: keyof typeof COMMANDS,
  ...args: readonly string[]
): Promise<{ code: number; said: string }> {
  const { exitCode, out = '', err = '' } = await COMMANDS[name](args);
  return { code: exitCode, said: `${out}${err}`.trim() };
}
