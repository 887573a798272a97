import { describe, expect, it } from '@jest/globals';
import { useBrowser } from '../support/browser.js';
import { useLedger } from '../support/fixture.js';

const ledger = useLedger();
const browser = useBrowser();

describe('the page at /docs', () => {
  it('shows the operations and needs nothing from outside', async () => {
    const { page, complaints, outside } = await browser.open(`${ledger.standalone.baseUrl}/docs`);
    await page.getByText('/sdk/subscriptions/{id}/cancel').waitFor();
    expect(await page.title()).toBe('subledger API');
    await page.locator('#operations-plans-plans_list').getByRole('button').first().click();
    await page.getByText('Only plans of this status').waitFor();
    expect(complaints).toEqual([]);
    expect(outside).toEqual([]);
  });

  it('calls the API in the name of whoever is authorized', async () => {
    const { page, complaints } = await browser.open(`${ledger.standalone.baseUrl}/docs`);
    await page.getByRole('button', { name: 'Authorize' }).click();
    const operator = page.locator('.auth-container').filter({ hasText: 'operator' });
    await operator.getByRole('textbox').fill(ledger.standalone.demo.operatorToken);
    await operator.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.close-modal').click();
    const list = page.locator('[id$="apps_list"]');
    await list.getByRole('button').first().click();
    await list.getByRole('button', { name: 'Try it out' }).click();
    await list.getByRole('button', { name: 'Execute' }).click();
    await list.getByText('"environment": "test"').first().waitFor();
    // What a browser keeps, the checkout page of the same origin could read.
    const kept = await page.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}])');
    expect(kept).toBe('[{},{}]');
    expect(complaints).toEqual([]);
  });
});
