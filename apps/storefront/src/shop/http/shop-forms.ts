import { Injectable } from '@nestjs/common';
import { type CommandContext, CommandContexts, type CommandSource } from '#nest';
import type { Visitor } from '../session/visitor.js';
import { VisitLimits } from './visit-limits.js';

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

/** Takes the forms of the shop's pages (rules/webshop 2). */
@Injectable()
export class ShopForms {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly limits: VisitLimits,
  ) {}

  /**
   * The context of the command of a form, whose id is its key: the same one twice changes nothing twice, and with
   * another content it is refused.
   *
   * @param content of the form, whichever way it was sent.
   * @throws ApiError 8 TOO_MANY_REQUESTS, and where there is no such app.
   */
  async accept(
    { visitor, formId, source }: Pick<ShopForm, 'visitor' | 'formId' | 'source'>,
    content: readonly [kind: string, ...fields: (string | number)[]],
  ): Promise<VisitorContext> {
    this.limits.require(visitor.player);
    const [kind] = content;
    const key = { commandId: `${kind} ${formId}`, asked: JSON.stringify(content) };
    const context = await this.contexts.withFormKey(source, visitor.appId, key);
    return { ...context, player: visitor.player };
  }
}

/** The same for a command that is idempotent by its content. */
export function withoutKey(context: VisitorContext): VisitorContext {
  const { commandId: _id, commandHash: _hash, ...rest } = context;
  return rest;
}
