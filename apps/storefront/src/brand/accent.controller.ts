import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { notFound } from '#nest';
import { accentStyle } from './accent-style.js';

/** A colour's style is the same until a release computes it otherwise: browsers ask once a day. */
const CACHED = 'public, max-age=86400';
const STYLE_FILE = /^([0-9a-f]{6})\.css$/;

/**
 * The styles of accent colours, each at an address that is made of the colour alone: a policy that forbids styles
 * inside of pages stays, nothing is looked up, and there is nothing that a cache could have of an earlier brand.
 */
@ApiExcludeController()
@Controller('assets/accent')
export class AccentController {
  @Get(':file')
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('cache-control', CACHED)
  style(@Param('file') file: string): string {
    const [, hex] = STYLE_FILE.exec(file) ?? [];
    if (hex === undefined) throw notFound('style', file);
    return accentStyle(hex);
  }
}
