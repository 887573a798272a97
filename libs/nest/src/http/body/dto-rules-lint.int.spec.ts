import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ESLint, Linter } from 'eslint';

describe('the lint', () => {
  it('refuses what these rules stand in the place of', async () => {
    const root = path.resolve(import.meta.dirname, '../../../../..');
    const rulesFor = async (file: string) => {
      const config = (await new ESLint({ cwd: root }).calculateConfigForFile(
        file,
      )) as Linter.Config;
      return {
        rules: { 'no-restricted-imports': config.rules?.['no-restricted-imports'] ?? 'off' },
      };
    };
    const source = [
      "import { IsOptional, IsString } from 'class-validator';",
      "import { ValidateNested } from 'class-validator';",
      "import { PartialType } from '@nestjs/swagger';",
    ].join('\n');
    const dto = await rulesFor('apps/api/src/manage/app.dto.ts');
    const messages = new Linter().verify(source, dto);
    expect(messages.map(({ line, ruleId }) => [line, ruleId])).toEqual([
      [1, 'no-restricted-imports'],
      [2, 'no-restricted-imports'],
      [3, 'no-restricted-imports'],
    ]);
    const own = await rulesFor('libs/nest/src/http/body/dto-rules.ts');
    expect(new Linter().verify(source, own)).toEqual([]);
  });
});
