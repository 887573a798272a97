import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { Findings } from '../full-disk/findings.js';
import { Load } from './load.js';

describe('purchases under load', () => {
  it('are a finding where they fail, and the others go on', async () => {
    const findings = new Findings();
    let asked = 0;
    const buyAtRate = async () => {
      asked += 1;
      if (asked === 1) throw new Error('the store is away');
      return [12];
    };
    const load = new Load({ purchases: { buyAtRate } }, findings);
    await eventually(() => Promise.resolve(asked > 1), { what: 'further purchases' });
    expect(await load.end()).toContain(12);
    expect(findings.lines).toEqual(['a purchase failed (1)\n  Error: the store is away']);
  });
});
