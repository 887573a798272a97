import { afterEach, expect, it, vi } from 'vitest';
import { EXIT_BAD_SETTING, Fault, SettingRefused } from '#platform';
import { runProgram } from './run-program.js';

afterEach(() => void vi.restoreAllMocks());

it.each([
  ['a setting that is refused', new SettingRefused('No.'), EXIT_BAD_SETTING],
  ['anything else', new Fault('unavailable', 'No.', { retryable: true }), 1],
])('a start that fails for %s ends with one sentence and its code', async (_, error, code) => {
  const said: unknown[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(text) > 0);
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const readConfig = () => {
    throw error;
  };
  await runProgram({ name: 'api', readConfig, start: async () => undefined });
  expect(said).toEqual(['subledger api: No.\n']);
  expect(exit).toHaveBeenCalledWith(code);
});
