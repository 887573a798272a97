/**
 * The body of a command that takes no fields; unknown ones are refused as everywhere (rules/api 2).
 */
export class EmptyBody {}
