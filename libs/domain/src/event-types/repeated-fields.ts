/** The fields that are texts in each event of a type: one that may be missing could not be known from one that was left out. */
type TextField<Data> = {
  [Field in keyof Data]-?: Data[Field] extends string ? Field : never;
}[keyof Data];

/**
 * Fields of an event's data that its place and its metadata say already. They are stored once, which is a fifth of a
 * ledger (rules/events 10): readers of an event find them in its data all the same. A field that says something else
 * than its place is stored as it is.
 */
export interface RepeatedFields<Data = Readonly<Record<string, string>>> {
  /** The id in the name of the event's stream. */
  readonly id?: TextField<Data>;
  /** When the event happened: `occurredAt`. */
  readonly at?: TextField<Data>;
  readonly app?: TextField<Data>;
  readonly player?: TextField<Data>;
}
