import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#nest';
import { assertDefect } from '#platform';
import type { ShopTokens } from '#tenancy';
import { SHOP_TOKENS } from '../../tokens.js';

/** A change is the player's own: other sites can send a form, and do not know the token in its session's forms. */
@Injectable()
export class CsrfGuard implements CanActivate {
  constructor(@Inject(SHOP_TOKENS) private readonly tokens: Pick<ShopTokens, 'isCsrfToken'>) {}

  canActivate(context: ExecutionContext): boolean {
    const { visitor, body } = context.switchToHttp().getRequest<FastifyRequest>();
    assertDefect(visitor !== undefined, 'a change in the shop without its session');
    const { csrf = '' } = (body ?? {}) as { readonly csrf?: unknown };
    if (typeof csrf === 'string' && this.tokens.isCsrfToken(visitor, csrf)) return true;
    throw new ApiError('PERMISSION_DENIED', {
      reason: 'FORM_NOT_OF_SESSION',
      message:
        'The field csrf is not that of this session: each page and model of the shop has it.',
    });
  }
}
