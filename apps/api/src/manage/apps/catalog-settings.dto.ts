import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Matches, ValidateBy } from 'class-validator';
import { IsLine } from '#nest/dto';

/** A token of RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Headers of framing, routing and negotiation: they are not a studio's to name (rules/catalog 1). */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'content-encoding'],
  ...['content-length', 'content-type', 'date', 'forwarded', 'host', 'range', 'via'],
  // Those of one connection, and those by which a client waits or switches.
  ...['connection', 'expect', 'http2-settings', 'keep-alive', 'proxy-authenticate'],
  ...['proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);
/** A header's value as it is: printable ASCII, no space at its ends. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,998}[\x21-\x7e])?$/;
/** Parts of an address, as RFC 3986 writes them. */
const PATH = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*\/?$/;
/** Segments that a URL parser takes for the same or the upper folder, however they are written. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

/** The studio's backend that lists the items on sale for a player; all settings, each time. */
export class CatalogSettingsBody {
  /**
   * An address as a webhook endpoint's, without query.
   * @example "https://api.game.example"
   */
  @IsLine(1, 1000)
  baseUrl!: string;

  /**
   * The path between the base and a player's id.
   * @example "/shop/catalog"
   */
  @IsCatalogPath()
  @IsLine(1, 500)
  path!: string;

  /**
   * The header that carries the key.
   * @example "x-api-key"
   */
  @IsHeaderName()
  apiKeyHeader!: string;

  /** The key by which the backend knows this service; it is never shown. */
  @Matches(HEADER_VALUE, {
    message: 'must be 1 to 1000 printable ASCII characters, without a space at its ends',
  })
  apiKey!: string;
}

/** Where the catalog is asked for, without the key. */
export class CatalogSettingsDto {
  baseUrl!: string;
  path!: string;
  apiKeyHeader!: string;
}

function IsCatalogPath(): PropertyDecorator {
  const validate = (value: unknown) =>
    typeof value === 'string' && PATH.test(value) && !value.split('/').some(isDots);
  const defaultMessage = () =>
    'must be a path such as /shop/catalog, without query and without . and .. as its parts';
  return ValidateBy({ name: 'isCatalogPath', validator: { validate, defaultMessage } });
}

function isDots(part: string): boolean {
  return DOTS.test(part);
}

function IsHeaderName(): PropertyDecorator {
  const isReserved = (value: unknown) =>
    typeof value === 'string' && RESERVED_HEADERS.has(value.toLowerCase());
  const validate = (value: unknown) =>
    typeof value === 'string' && HEADER_NAME.test(value) && !isReserved(value);
  const defaultMessage = (args?: { readonly value: unknown }) =>
    isReserved(args?.value)
      ? 'must be a header that says nothing of the request itself'
      : 'must be the name of a header, such as x-api-key, of at most 100 characters';
  return applyDecorators(
    ApiProperty({ pattern: HEADER_NAME.source }),
    ValidateBy({ name: 'isHeaderName', validator: { validate, defaultMessage } }),
  );
}
