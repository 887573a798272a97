import { IsLine, Omittable } from '#nest/dto';
import { Timestamp } from '#openapi';

/** The token in each form of the shop (rules/webshop 2). */
export class CsrfBody {
  /** That of the session: each page and model of the shop has it. */
  @IsLine(1, 128)
  csrf!: string;
}

/** A form whose effect is the same when it is sent twice. */
export class SignOutBody extends CsrfBody {
  /** Of the page's form: nothing goes by it. */
  @Omittable()
  @IsLine(1, 64)
  formId?: string;
}

/** A form that changes something: the same one twice changes nothing twice (rules/webshop 2). */
export class ShopFormBody extends CsrfBody {
  /** Another one in every form; a caller who sends JSON makes one up. */
  @IsLine(1, 64)
  formId!: string;
}

/** A link into the shop that was not used yet. */
export class EntranceDto {
  /**
   * Empty: no session has begun.
   * @example ""
   */
  csrf!: string;

  /** When the link ends, unless it is used before. */
  @Timestamp()
  expiresAt!: string;
}

/** A session that has begun; the cookie of the answer is the session. */
export class EnteredDto {
  /** The forms of the session carry it. */
  csrf!: string;
}
