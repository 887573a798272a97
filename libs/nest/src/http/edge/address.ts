import { ApiError } from '../answer/api-error.js';

/**
 * A player's id of 255 characters comes to 3,060 where each takes four bytes and each byte an escape
 * of three; filters, page token and path go beside it (rules/api 4).
 */
const MAX_ADDRESS_CHARACTERS = 8_192;
/** Nearly every address is of these alone, and there is nothing more to be asked then. */
const PLAIN = /^[\x21-\x24\x26-\x7e]*$/;
const PRINTABLE = /^[\x21-\x7e]*$/;

/**
 * Why an address cannot be taken, or undefined. Its escapes are UTF-8: the parser of queries would
 * leave others as they are, so that two different texts were one id.
 */
export function addressRefusal(address: string): ApiError | undefined {
  if (address.length > MAX_ADDRESS_CHARACTERS) return tooLong();
  if (PLAIN.test(address)) return undefined;
  return PRINTABLE.test(address) && isDecodable(address) ? undefined : malformedAddress(address);
}

/** Also for addresses that the router cannot read. The parameter is named that cannot be read, or the path. */
export function malformedAddress(address: string): ApiError {
  const [path = '', query = ''] = address.split(/\?(.*)/s, 2);
  const fields = query.split('&').filter(isUnreadable).map(findName);
  if (isUnreadable(path)) fields.unshift('path');
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'MALFORMED_ADDRESS',
    message: 'The address of the request has bytes or escapes that are no UTF-8.',
    fieldViolations: fields.map((field) => ({ field, description: 'must be UTF-8, in escapes' })),
  });
}

function isUnreadable(part: string): boolean {
  return !PRINTABLE.test(part) || !isDecodable(part);
}

/** Of a parameter; as it was sent, where its name itself cannot be read. */
function findName(parameter: string): string {
  const [name = ''] = parameter.split('=', 1);
  return isUnreadable(name) ? name : decodeURIComponent(name);
}

function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

function tooLong(): ApiError {
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'ADDRESS_TOO_LONG',
    message: `The address of the request is longer than ${MAX_ADDRESS_CHARACTERS} characters.`,
    http: 414,
  });
}
