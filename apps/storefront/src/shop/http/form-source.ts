import { type CommandContext, CommandContexts, type CommandSource } from '#nest';
import type { Visitor } from '../session/visitor.js';

/** A change in the shop, as a form of a page or as JSON. */
export interface ShopForm {
  readonly visitor: Visitor;
  readonly formId: string;
  readonly source: CommandSource;
  /** Of the browser. */
  readonly address: string;
  /** Of the page that it was on. */
  readonly pageLanguage: string;
}

export type VisitorContext = CommandContext & { readonly player: string };

/**
 * The context of the command of a form, whose id is its key: the same one twice changes nothing twice, and with another
 * content it is refused (rules/webshop 2).
 *
 * @param content what is asked for, whichever way it was sent. @throws ApiError when there is no such app.
 */
export async function formContext(
  contexts: CommandContexts,
  { visitor, formId, source }: Pick<ShopForm, 'visitor' | 'formId' | 'source'>,
  content: readonly [kind: string, ...fields: (string | number)[]],
): Promise<VisitorContext> {
  const [kind] = content;
  const key = { commandId: `${kind} ${formId}`, asked: JSON.stringify(content) };
  const context = await contexts.withFormKey(source, visitor.appId, key);
  return { ...context, player: visitor.player };
}

/** The same for a command that is idempotent by what it says. */
export function withoutKey(context: VisitorContext): VisitorContext {
  const { commandId: _id, commandHash: _hash, ...rest } = context;
  return rest;
}
