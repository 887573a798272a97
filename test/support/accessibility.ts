import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly html: string }[];
  }[];
}

/**
 * The findings of axe-core on a page as it is shown, one line each: all of its rules, contrast of colours among them.
 * It is put into the page by the browser itself, which the page's own policy has no say in.
 */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  // Once for a page: to read half a megabyte of it again takes longer than to look.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) {
    await page.evaluate(await readFile(AXE, 'utf8'));
  }
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(' ')} ${html.slice(0, 120)}`),
  );
}
