/** Go's reader of notes takes 100 signatures too; each costs a verification. */
export const MAX_NOTE_SIGNATURES = 100;
