import process from 'node:process';
import {
  createLogger,
  createShutdown,
  EXIT_BAD_SETTING,
  type Log,
  type LogLevel,
  reportToParent,
  SettingRefused,
  type Shutdown,
  stopWithParent,
} from '#platform';
import { warnOfSettings, type WarnedSettings } from './setting-warnings.js';

/** The common configuration of every program; a program's own configuration has more. */
interface CommonConfig extends WarnedSettings {
  readonly logLevel: LogLevel;
}

/** A started program's surroundings. */
export interface ProgramContext<Config> {
  readonly config: Config;
  readonly log: Log;
  readonly shutdown: Shutdown;
}

interface Program<Config extends CommonConfig> {
  /** As logs and messages call it: `api`. */
  readonly name: string;
  /** @throws Error with a line for every bad variable. */
  readonly readConfig: (env: NodeJS.ProcessEnv) => Config;
  /** How long a stop may take, all parts together, where the usual limit is not the right one. */
  readonly stopLimitMs?: number;
  /**
   * Resolves when the program does its work.
   *
   * @returns the report to the program that started this one, such as the address that it listens at.
   */
  readonly start: (
    context: ProgramContext<Config>,
  ) => Promise<Readonly<Record<string, unknown>> | undefined>;
}

/**
 * Runs a program from its configuration to its stop: reads the environment once, logs, stops in
 * order on a signal or when its parent is gone, and reports to its parent when it is ready. A start
 * that fails writes the reason to stderr and exits with 1, or with 78 where a setting is refused.
 */
export async function runProgram<Config extends CommonConfig>(
  { name, readConfig, stopLimitMs, start }: Program<Config>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  try {
    const config = readConfig(env);
    const log = createLogger(name, { level: config.logLevel });
    for (const warning of warnOfSettings(config, env)) log.warn(warning);
    const shutdown = createShutdown({
      log,
      ...(stopLimitMs !== undefined && { limitMs: stopLimitMs }),
    });
    stopWithParent(shutdown, env);
    const report = await start({ config, log, shutdown });
    log.info({ ...report }, `the ${name} runs`);
    reportToParent(report, env);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`subledger ${name}: ${message}\n`);
    process.exit(error instanceof SettingRefused ? EXIT_BAD_SETTING : 1);
  }
}
