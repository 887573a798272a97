import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { IsLine, Omittable } from '#nest/dto';
import { CsrfBody } from '../session/session.dto.js';

/** As many as a page shows at once, and more. */
const MAX_VIEWS = 100;

/** What a browser has shown (rules/webshop 7). */
export class ViewsBody extends CsrfBody {
  @IsArray({ message: 'must be a list of ids' })
  @ArrayMaxSize(MAX_VIEWS, { message: `must have at most ${MAX_VIEWS} ids` })
  @IsString({ each: true, message: 'must be a list of ids' })
  @MaxLength(255, { each: true, message: 'must be a list of ids of at most 255 characters' })
  itemIds!: string[];

  @Omittable()
  @IsLine(1, 64)
  formId?: string;
}

/** A claim of a free item: the same id is the same claim. */
export class ClaimBody extends CsrfBody {
  @IsLine(1, 64)
  claimId!: string;

  @Omittable()
  @IsLine(1, 64)
  formId?: string;
}
