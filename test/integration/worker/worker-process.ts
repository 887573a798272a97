import { type RunningProgram, startProgram } from '../../support/program.js';

export type WorkerProcess = RunningProgram;

/** Starts a worker and waits until it says that it is ready. */
export function startWorkerProcess(env: Readonly<Record<string, string>>): Promise<WorkerProcess> {
  return startProgram('worker', env);
}
