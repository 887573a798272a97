/** The ids of the commands that left events, as far as something smaller than the ids tells them apart. */
export interface UnreadCommands {
  /** Whether this may be one of them; false is certain. */
  mayHold(commandId: string): boolean;
}
