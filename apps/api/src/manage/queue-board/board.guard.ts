import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#nest';
import type { OperatorTokens } from '#tenancy';
import { requireAllApps, requireScope } from '../../auth/operator-scope.js';
import { OPERATOR_TOKENS } from '../../tokens.js';

/** The board changes nothing. */
const LOOK = { appId: undefined, method: 'GET', isForAdmins: false, route: '' };

/** The path and the query of a request, as they came: the board reads them itself. */
export type BoardAddress = string;

export const BoardAddress = createParamDecorator(
  (_options: unknown, context: ExecutionContext): BoardAddress =>
    context.switchToHttp().getRequest<FastifyRequest>().url,
);

/**
 * Lets operators in whose token is for all apps: a queue has retries of every app (rules/operators 15). A browser asks
 * for the token as a password, and sends it along with the page's requests; programs send it as everywhere.
 */
@Injectable()
export class BoardGuard implements CanActivate {
  constructor(@Inject(OPERATOR_TOKENS) private readonly tokens: Pick<OperatorTokens, 'verify'>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const token = readToken(headers.authorization);
    const operator = token === undefined ? undefined : await this.tokens.verify(token);
    if (operator === undefined) throw unauthenticated();
    requireScope(operator, LOOK);
    requireAllApps(operator);
    return true;
  }
}

/** The token of `Bearer`, or the password of `Basic` under any user name (RFC 7617). */
export function readToken(authorization: string | undefined): string | undefined {
  const [, scheme = '', given = ''] =
    /^(Bearer|Basic) +([\w.~+/=-]+)$/i.exec(authorization ?? '') ?? [];
  if (scheme.toLowerCase() !== 'basic') return given === '' ? undefined : given;
  const [, password] = /^[^:]*:(.+)$/s.exec(Buffer.from(given, 'base64').toString('utf8')) ?? [];
  return password;
}

function unauthenticated(): ApiError {
  return new ApiError('UNAUTHENTICATED', {
    reason: 'UNAUTHENTICATED',
    message: "Give an operator's token for all apps: as a bearer's, or as a password.",
    headers: { 'www-authenticate': 'Basic realm="subledger queues", charset="UTF-8"' },
  });
}
