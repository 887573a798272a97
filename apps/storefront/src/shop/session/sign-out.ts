import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandSource, commandWith } from '#nest';
import { ShopSessions } from './shop-sessions.js';
import type { Visitor } from './visitor.js';

/** A player ends the session. */
export class SignOut extends commandWith<{ visitor: Visitor; source: CommandSource }>() {}

@CommandHandler(SignOut)
export class SignOutHandler implements ICommandHandler<SignOut> {
  constructor(private readonly sessions: ShopSessions) {}

  execute({ visitor, source }: SignOut): Promise<void> {
    return this.sessions.end(visitor, source);
  }
}
