/** What the shapes of requests are declared with (rules/api 1 and 2). */
export {
  AllOmittable,
  isObject,
  NestedList,
  NestedObject,
  Omittable,
  OmittableOrEmpty,
  OmittableOrNull,
} from './http/dto-rules.js';
export {
  IsAmountCents,
  IsPositiveAmountCents,
  IsCode,
  isCode,
  IsCountryCode,
  IsCurrencyCode,
  IsEmail,
  IsHttpsUrl,
  IsJsonText,
  IsLanguageTag,
  IsLine,
  IsOrigin,
  IsPeriodValue,
  IsPlainText,
  IsRegionCode,
  IsRegionCodeOrEmpty,
  IsTimestamp,
} from './http/text-rules.js';
