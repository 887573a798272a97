/** The body of a command that takes no fields; unknown ones are refused as everywhere (decisions 1). */
export class EmptyBody {}
