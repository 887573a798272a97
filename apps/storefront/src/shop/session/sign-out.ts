import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandSource } from '#nest';
import { ShopSessions } from './shop-sessions.js';
import type { Visitor } from './visitor.js';

/** A player ends the session. */
export class SignOut extends Command<void> {
  constructor(
    readonly visitor: Visitor,
    readonly source: CommandSource,
  ) {
    super();
  }
}

@CommandHandler(SignOut)
export class SignOutHandler implements ICommandHandler<SignOut> {
  constructor(private readonly sessions: ShopSessions) {}

  execute({ visitor, source }: SignOut): Promise<void> {
    return this.sessions.end(visitor, source);
  }
}
