import 'reflect-metadata';
import process from 'node:process';
import { CommandFactory } from 'nest-commander';
import { endWithReader } from '#platform';
import { CliModule } from './cli.module.js';
import { wantsJson } from './output.js';
import { reportOf } from './report.js';

endWithReader();
try {
  await CommandFactory.run(CliModule, { errorHandler: end, serviceErrorHandler: end });
} catch (error) {
  end(error);
}

function end(error: unknown): never {
  const { text, exitCode } = reportOf(error, wantsJson());
  process.stderr.write(text);
  process.exit(exitCode);
}
