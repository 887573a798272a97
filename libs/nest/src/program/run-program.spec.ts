import { afterEach, expect, it, jest } from '@jest/globals';
import { EXIT_BAD_SETTING, Fault, SettingRefused } from '#platform';
import { runProgram } from './run-program.js';

afterEach(() => void jest.restoreAllMocks());

it.each([
  ['a setting that is refused', new SettingRefused('No.'), EXIT_BAD_SETTING],
  ['anything else', new Fault('unavailable', 'No.', { retryable: true }), 1],
])('a start that fails for %s ends with one sentence and its code', async (_, error, code) => {
  const said: unknown[] = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(text) > 0);
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const readConfig = () => {
    throw error;
  };
  await runProgram({ name: 'api', readConfig, start: async () => undefined });
  expect(said).toEqual(['subledger api: No.\n']);
  expect(exit).toHaveBeenCalledWith(code);
});
