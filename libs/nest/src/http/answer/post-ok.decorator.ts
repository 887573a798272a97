import { applyDecorators, HttpCode, Post } from '@nestjs/common';

/** A route of POST that answers 200, as all of ours do: Nest would say 201. */
export const PostOk = (path = '') => applyDecorators(Post(path), HttpCode(200));
