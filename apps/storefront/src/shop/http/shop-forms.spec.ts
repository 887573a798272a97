import { describe, expect, it } from 'vitest';
import { CommandContexts, type CommandSource } from '#nest';
import type { AppDirectory } from '#tenancy';
import { HASH_KEYS, NOW } from '../../links/spec-support/links.js';
import type { Visitor } from '../session/visitor.js';
import { ShopForms, type VisitorContext, withoutKey } from './shop-forms.js';
import { VisitLimits } from './visit-limits.js';

const apps = { find: async () => ({ environment: 'test' }), now: async () => NOW };
const contexts = new CommandContexts(apps as unknown as AppDirectory, HASH_KEYS);
const forms = new ShopForms(contexts, new VisitLimits());
const source = { id: 'r', headers: {} } as unknown as CommandSource;
// Of a visitor, a context says no more than this.
const visitor = { appId: 'app_1', player: 'p' } as unknown as Visitor;
const form = { visitor, formId: 'f1', source };

const read = (...content: [string, ...(string | number)[]]): Promise<VisitorContext> =>
  forms.accept(form, content);

/** rules/webshop 2, rules/storage 15 */
describe('the context of a form', () => {
  it('has the id of the form, and a hash of what it asks for under the key of the app', async () => {
    const { player, commandId, commandHash } = await read('buy', 'sword', 2);
    expect({ player, commandId }).toEqual({ player: 'p', commandId: 'buy f1' });
    // As it is stored.
    expect(commandHash).toBe('s_QTzeDG55IYi7-C_N4qEy06ZObPZVeyHaNWRABi8GA');
    expect((await read('buy', 'sword', 3)).commandHash).not.toBe(commandHash);
  });

  it('is without all of that for a command that is idempotent by what it says', async () => {
    expect(Object.keys(withoutKey(await read('checkout'))).sort()).toEqual(
      ['actor', 'appId', 'correlationId', 'environment', 'now', 'player'].sort(),
    );
  });
});
